# readers.R FOLDER: the files that readers_test.py wrote, read by R. R turns decimal digits into numbers that may be off in the last bit, so
# numbers are compared to 1e-15 of their size; what is missing must be missing everywhere.
suppressPackageStartupMessages({
  library(jsonlite)
  library(DBI)
})
folder <- commandArgs(trailingOnly = TRUE)[1]
path <- function(name) file.path(folder, name)
texts <- fromJSON(path("texts.json"))
tokens <- fromJSON(path("tokens.json"))
measures <- fromJSON(path("measures.json"))
same <- function(a, b) {
  a <- as.numeric(a)
  b <- as.numeric(b)
  identical(is.na(a), is.na(b)) && all(abs(a - b) <= 1e-15 * abs(b), na.rm = TRUE)
}

heads <- read.csv(path("heads.csv"), check.names = FALSE)
stopifnot(identical(names(heads)[1:5], c("layer", "head", "length_from", "length", "n")), nrow(heads) == 24)
for (column in names(heads)[1:5]) stopifnot(is.integer(heads[[column]]))
stopifnot(all(is.na(heads[["next-token"]])), anyNA(heads[["entropy"]]), is.numeric(heads[["entropy"]]), anyNA(heads[["length"]]))

lines <- lapply(readLines(path("heads.jsonl"), encoding = "UTF-8"), fromJSON, simplifyVector = FALSE)
of_line <- function(line, measure, name) {
  number <- line$measures[[measure]][[name]]
  if (is.null(number)) NA else number
}
for (measure in measures) {
  for (name in c("mean", "n", "se", "q05", "q25", "q50", "q75", "q95")) {
    told <- vapply(lines[-1], function(line) as.numeric(of_line(line, measure, name)), 0)
    column <- if (name == "mean") measure else paste0(measure, ".", name)
    stopifnot(same(heads[[column]], told))
  }
}

database <- dbConnect(RSQLite::SQLite(), path("heads.sqlite"))
cells <- dbGetQuery(database, "SELECT * FROM heads")
stopifnot(is.integer(cells$layer), is.integer(cells$n), is.numeric(cells$mean), nrow(cells) == nrow(heads) * length(measures))
for (measure in measures) {
  own <- cells[cells$measure == measure, ]
  stopifnot(same(heads[[measure]], own$mean), same(heads[[paste0(measure, ".se")]], own$se), identical(own$layer, heads$layer))
}
examples <- dbGetQuery(database, "SELECT DISTINCT text FROM examples")$text
dbDisconnect(database)
stopifnot(is.character(examples), !anyNA(examples), all(examples %in% texts), all(texts[grepl(" ", texts)] %in% examples))

map <- read.csv(path("map.csv"), na.strings = character(), check.names = FALSE, colClasses = c("query \\ key" = "character"))
stopifnot(identical(map[["query \\ key"]], tokens), identical(names(map)[-1], tokens))
weights <- as.matrix(map[, -1])
stopifnot(is.numeric(weights), all(abs(rowSums(weights) - 1) < 1e-6), all(weights[upper.tri(weights)] == 0))
cat(sprintf("   R %s.%s: the same from csv, jsonl and sqlite\n", R.version$major, R.version$minor))
