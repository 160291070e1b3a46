-- A dialogue with a question in its middle, and a page in one voice that is longer than a terminal.
return lesson {
  id = "dialogue",
  title = "Two voices and a question",
  revision = 1,

  say { id = "greeting", title = "Greeting", text = [[
**Ada.** Who is there?

**Bo.** It is me, with 14 GB
of weights.]] },

  say { id = "news", title = "News", text = [[
A door opens.

**Bo.** Here they are.]] },

  predict { id = "asked", title = "Asked", ask = "How many?", choices = { "one", "two" }, answer = 2,
    reveal = "Two." },

  recap { id = "end", title = "The end", text = [[
**Ada.** That was a long way.

1

2

3

4

5

6

7

8

9

**Bo.** And this is the last line.]] },
}
