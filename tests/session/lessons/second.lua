return lesson {
  id = "2.1", title = "A short one",
  say { id = "hello", "Hello. **Elephants** never forget." },
  recap { id = "end", "Goodbye." },
}
