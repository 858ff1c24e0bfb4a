-- What is read from a synlynk workspace database (SQLite).

-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table'

-- name: stories
SELECT * FROM stories ORDER BY rowid

-- name: ratings
SELECT * FROM capability_ratings ORDER BY rowid
