// How is a run rated at one press? By a point of the scale, or by a key: digits, T and H outside of text fields, and
// Ctrl+Enter outside of other fields than the rating's own.
// A pause in the note commits it, as Ctrl+Enter in a text area does, so that little is lost with the page.

const PAUSE = 1200        // ms without typing after which the note is committed
const ARRIVAL = 20000     // ms that the next run may take to appear
const REMEMBERED = 40     // keys told at once, so that none is lost while the server works
const TYPED = /^(text|search|number|email|url|tel|password|date|time|datetime-local|month|week)$/
const ELSEWHERE = "[role=dialog], [role=listbox], [role=menu]"
const POINTS = [..."0123456789", "10"]
const shared = (globalThis.qualityRatingScale ??= { run: null, log: [], last: 0, left: 0, waiting: [] })
const mounted = new WeakMap()

function fieldOf(event) {
  const path = event.composedPath().filter(node => node instanceof HTMLElement)
  return path.find(node => node.isContentEditable || node.matches("textarea, select") ||
    (node.tagName === "INPUT" && TYPED.test(node.type))) ?? null
}

function commit(note) {
  note.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))
}

function listener(parent) {
  const state = { data: null, send: null, timer: null, note: null }

  function tell(key) {
    shared.last = Math.max(shared.last + 1, Date.now())
    shared.log = [...shared.log, { n: shared.last, run: state.data.run, key }].slice(-REMEMBERED)
    state.send("pressed", shared.log)
  }

  function own(node) {
    return node && node.closest(state.data.fields.map(name => `[class*="${name}"]`).join(", "))
  }

  function pressed(event) {
    if (!event.isTrusted || event.repeat || event.isComposing) return
    const field = fieldOf(event)
    const key = event.key.toLowerCase()
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key === "enter") {
      if (!field || own(field)) tell("save")
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || field) return
    if (document.querySelector("[role=dialog]") || event.target.closest?.(ELSEWHERE)) return
    if (state.data.leaving.includes(key)) shared.left = Date.now()
    else if (/^[0-9th]$/.test(key)) {
      if (Date.now() - shared.left < ARRIVAL) shared.waiting.push(key)
      else tell(key)
    }
  }

  function flush() {
    clearTimeout(state.timer)
    if (state.timer && state.note?.isConnected) commit(state.note)
    state.timer = null
  }

  function typed(event) {
    if (event.target.tagName !== "TEXTAREA" || !own(event.target) || event.isComposing) return
    clearTimeout(state.timer)
    state.note = event.target
    state.timer = setTimeout(flush, PAUSE)
  }

  function button(label, name, key, on) {
    const made = document.createElement("button")
    made.type = "button"
    made.textContent = label
    made.setAttribute("aria-label", name)
    made.setAttribute("aria-pressed", String(on))
    made.onclick = () => tell(key)
    return made
  }

  function draw() {
    const { rating, shown } = state.data
    const whole = rating === null ? null : Math.floor(rating)
    const onScale = rating !== null && (rating * 2) % 1 === 0
    const focused = [...scale.children].indexOf(parent.activeElement ?? document.activeElement)
    scale.replaceChildren(
      ...POINTS.map(point => button(point, `${point} of 10`, point === "10" ? "t" : point, onScale && String(whole) === point)),
      button("½", "and a half", "half", onScale && rating !== whole))
    if (focused >= 0) scale.children[focused].focus()
    line.replaceChildren(...shown.map(([key, what]) => {
      const part = document.createElement("span")
      const cap = document.createElement("kbd")
      cap.textContent = key
      part.append(cap, ` ${what}`)
      return part
    }))
  }

  const scale = document.createElement("div")
  scale.setAttribute("role", "group")
  scale.setAttribute("aria-label", "Rating in points")
  const line = document.createElement("p")
  parent.append(scale, line)

  const hidden = () => document.visibilityState === "hidden" && flush()
  const heard = [
    [document, "keydown", pressed], [document, "input", typed], [document, "visibilitychange", hidden],
    [window, "pagehide", flush], [window, "beforeunload", flush], [window, "popstate", flush],
  ]
  heard.forEach(([where, what, how]) => where.addEventListener(what, how))

  return {
    update(data, send) {
      Object.assign(state, { data, send })
      if (shared.run !== data.run) {
        const arrived = shared.run !== null && Date.now() - shared.left < ARRIVAL
        const waiting = arrived ? shared.waiting : []
        Object.assign(shared, { run: data.run, left: 0, waiting: [] })
        waiting.forEach(tell)
      }
      draw()
    },
    stop() {
      flush()
      heard.forEach(([where, what, how]) => where.removeEventListener(what, how))
    },
  }
}

export default function (component) {
  const { data, parentElement, setStateValue } = component
  if (!mounted.has(parentElement)) mounted.set(parentElement, listener(parentElement))
  mounted.get(parentElement).update(data, setStateValue)
  return () => {
    mounted.get(parentElement)?.stop()
    mounted.delete(parentElement)
  }
}
