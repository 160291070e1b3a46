-- The questions of the school's course.
return questions {
  values = { two = engine.gb(2e9) },
  { id = "how-many", ask = "How many bytes?", lesson = "1.1", step = "two-bytes", answer = "Two for each weight: ${two} for 1B.",
    figure = { kind = "units" } },
}
