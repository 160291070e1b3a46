# Writes the text that zerolab learns by default: the log of a harbour that never was. awk -f harbour.awk >harbour.txt
#
# It is made by a small grammar, so that it is ours, ships whole, and can be learned by a model of a few hundred thousand parameters: words from a short
# list, sentences of a dozen kinds, counts that add up, names that come back within a day. Random numbers: Park and Miller's
# generator, whose products stay below 2^53, so that every awk writes the same bytes.

function chance(n) { state = state * 48271 % 2147483647; return int(state / 2147483647 * n) }
function pick(list,    n, word) { n = split(list, word, "|"); return word[chance(n) + 1] }
function a(noun) { return (noun ~ /^[aeiou]/ ? "an " : "a ") noun }
function number(n,    names) {
    split("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen", names, " ")
    return n in names ? names[n] : n
}
function many(n, noun) { return number(n) " " noun (n == 1 ? "" : "s") }
function capital(s) { return toupper(substr(s, 1, 1)) substr(s, 2) }

function name() { return pick("Anna|Bela|Carla|Dario|Edda|Falk|Greta|Henrik|Ida|Jonas|Kaja|Lars|Mira|Nils|Olga|Piet") }
function boat() { return pick("Albatross|Blue Heron|Cormorant|Dolphin|Evening Star|Fair Wind|Grey Goose|Halcyon|Iron Duke|Kittiwake|Lark|Morning Tide") }
function cargo() { return pick("barrel of oil|sack of salt|crate of apples|bale of wool|box of nails|coil of rope|basket of herring|keg of tar|chest of tea|jar of honey") }
function weather() {
    return pick("the wind came from the " pick("north|south|east|west") \
        "|the fog lay over the water|the rain fell all morning|the sky was clear|the sea was calm|the waves were high|the frost was on the ropes")
}
function times(thing) { sub(/x of/, "xe of", thing); sub(/ of/, "s of", thing); return thing } # "barrels of oil", "boxes of nails"
function goods(n, thing) { return number(n) " " (n == 1 ? thing : times(thing)) }

function arrival(    thing, n) {
    who = name(); ship = boat(); thing = cargo(); n = 1 + chance(9)
    return "The " ship " came in at " number(1 + chance(12)) " with " goods(n, thing) ". " who " " pick("wrote it down|counted twice|met her at the quay|tied her up") "."
}
function sum(    thing, n, m) {
    thing = cargo(); n = 1 + chance(9); m = 1 + chance(9)
    return capital(goods(n, thing)) " and " goods(m, thing) " make " goods(n + m, thing) "."
}
function trade(    thing, n, m) {
    thing = cargo(); m = 1 + chance(8); n = m + 1 + chance(9)
    return who " had " goods(n, thing) " and sold " number(m) ", so " number(n - m) " " (n - m == 1 ? "was" : "were") " left."
}
function talk(    other) {
    other = name()
    return "\"" pick("Where is the " ship "|When does the " ship " sail|Who is on the " ship "|Is the " ship " dry") "?\" asked " other ". \"" \
        pick("Ask " who "|" who " knows|At the quay|Look behind the crane|Not today|When the tide turns") ".\""
}
function repair() {
    return who " mended the " pick("sail|mast|rudder|anchor|net|lamp") " of the " ship " with " a(pick("hammer|needle|iron ring|old rope|axe|ash plank")) "."
}
function market(    thing, price) {
    thing = cargo(); price = 2 + chance(8)
    return capital(a(thing)) " costs " many(price, "coin") ", and two cost " many(2 * price, "coin") "."
}
function sailing() {
    return "At " pick("noon|dusk|high water|low water") " the " ship " sailed for " pick("Northhaven|Saltby|the islands|Old Ferry|Grey Point|the far shore") \
        ", and " who " " pick("waved|slept|stayed behind|lit the lamp|sang") "."
}
function rest() { return capital(weather()) ", and " pick("nobody sailed|the boats stayed in|the gulls were loud|the children fished from the wall|the lamp burned all day") "." }

function sentence(    k) {
    k = chance(8)
    if (k == 0) return arrival()
    if (k == 1) return sum()
    if (k == 2) return trade()
    if (k == 3) return talk()
    if (k == 4) return repair()
    if (k == 5) return market()
    if (k == 6) return sailing()
    return rest()
}

BEGIN {
    state = 20200113
    for (day = 1; day <= 480; day++) {
        line = "Day " day ". In the morning " weather() ". " arrival()
        for (n = 2 + chance(5); n > 0; n--) line = line " " sentence()
        print line "\n"
    }
}
