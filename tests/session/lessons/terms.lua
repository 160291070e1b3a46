-- Its term is first used in the second step, beside a table.
return lesson {
  id = "2.1", title = "A short one",
  say { id = "hello", "Hello." },
  say { id = "sizes", [[
    | what | size |
    |:---|---:|
    | a bucket | 25 MB |
  ]] },
  recap { id = "end", [[
Goodbye.

> Quoted words.

- listed - once
]] },
}
