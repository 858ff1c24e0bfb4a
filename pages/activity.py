"""Who wrote what, and when? Every write of the ledger in words; one opened with its request and its answer."""

from pages.components import activity, activity_choice, activity_data, activity_view, page, redacting

if named := activity_choice.opened():
    activity_view.back()
    if write := page.found(activity_data.write, named, "write"):
        activity_view.heading(write)
        activity_view.concerns(write)
        activity_view.whole(write)
else:
    page.title("Activity", "Every write to this ledger by whom and when, the latest first.")
    activity_choice.row(page.read(activity_data.facets))
    activity.listed(activity_choice.chosen())
    redacting.of_text()
