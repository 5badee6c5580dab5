import { expect, test } from 'vitest'
import { fixtureText } from './fixtures.ts'
import { type Place, placesOf, readSource } from './read-source.ts'

interface Case {
  fixture: string
  /** Text that ends with a brace, which is taken away. */
  brace: string
  /** The function that it is in. */
  broken: string
}

const cases: readonly Case[] = [
  { fixture: 'go/server.go', brace: 'for _, id := range ids {', broken: 'Server/Serve' },
  { fixture: 'rust/shapes.rs', brace: 'for _ in 0..3 {', broken: 'Shape/visit' },
  { fixture: 'java/Store.java', brace: '|| type == null) {', broken: 'Store/find[0]' },
  {
    fixture: 'csharp/Store.cs',
    brace: 'using (var one = Open())\n            {',
    broken: 'Example/Stores/Store/FindAsync',
  },
  { fixture: 'kotlin/Store.kt', brace: 'in 2..9 -> {', broken: 'find' },
  { fixture: 'swift/Store.swift', brace: 'switch self {', broken: 'Shape/area' },
  { fixture: 'dart/store.dart', brace: 'on StateError catch (e) {', broken: 'find' },
  { fixture: 'bash/deploy.sh', brace: '\n  {', broken: 'deploy::run' },
]

const holds = (one: Place, other: Place): boolean =>
  one.first <= other.first && one.last >= other.last

const isSame = (one: Place, other: Place): boolean =>
  nameOf(one) === nameOf(other) && one.first === other.first && one.last === other.last

/** What the first line of a definition says, by which those of some languages are found again. */
const announced: Readonly<Record<string, RegExp>> = {
  kotlin: /^(?!\s*companion)[a-z ]*(?:fun|class|object|interface) /,
  swift:
    /^[@\w() ]*(?:(?:func|class|struct|enum|protocol|extension|actor) (?!\[)|(?:init|subscript)\b|deinit )/,
  dart: /^\s*(?:[a-z ]*(?:class|mixin|enum|extension) (?!on)|[\w<>?]+ (?:get |set )?\w+(?: =>|[<({]))/,
}

const isAnnounced = (text: string, { first, kind }: Place, by: RegExp): boolean =>
  kind !== 'accessor' && by.test(text.split('\n')[first - 1] ?? '')

const nameOf = ({ path }: Place): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\[.*/, '')

test.for(cases)('$fixture keeps its other functions without a brace', async (given) => {
  const { fixture, brace, broken } = given
  const text = fixtureText(fixture)
  const before = placesOf(await readSource(fixture, text))
  const inside = before.find(({ path }) => path === broken) as Place
  const by = announced[fixture.slice(0, fixture.indexOf('/'))]
  const others = before.filter(
    (place) =>
      !holds(place, inside) && !holds(inside, place) && (!by || isAnnounced(text, place, by)),
  )
  expect(others.length).toBeGreaterThan(3)
  const after = placesOf(await readSource(fixture, text.replace(brace, brace.slice(0, -1))))
  expect(others.filter((other) => !after.some((place) => isSame(place, other)))).toEqual([])
  const found = after.find((place) => nameOf(place) === nameOf(inside))
  expect(found?.first).toBe(inside.first)
  // Only what holds the place is in doubt, and nothing goes on behind what held it before.
  for (const place of after.filter(({ extent }) => extent === 'recovered')) {
    const isWithin = (one: Place): boolean => nameOf(one) === nameOf(place) && holds(one, place)
    expect(before.some(isWithin)).toBe(true)
  }
})

test.for(cases)('$fixture keeps what ends before the place where it is cut off', async (given) => {
  const { fixture, brace } = given
  const text = fixtureText(fixture)
  const before = placesOf(await readSource(fixture, text))
  const cut = await readSource(fixture, text.slice(0, text.indexOf(brace) + brace.length))
  const after = placesOf(cut)
  const whole = before.filter(({ last }) => last < cut.lines.count)
  expect(whole.length).toBeGreaterThan(3)
  expect(whole.filter((one) => !after.some((place) => isSame(place, one)))).toEqual([])
  expect(after.filter(({ last }) => last > cut.lines.count)).toEqual([])
})
