import { expect, test } from 'vitest'
import { placesOf, readSource } from './read-source.ts'

const parsedWhole: readonly [language: string, text: string][] = [
  ['swift', 'struct A: ~Copyable {\n  consuming func last() {}\n}\n'],
  ['swift', 'struct A {\n  package init(a: consuming B) {}\n  func last() {}\n}\n'],
  ['swift', 'func a() throws(B) {\n  #expect(c == 1)\n}\nfunc last() {}\n'],
  ['swift', 'func a() {\n  let b = if c { 1 } else { 2 }\n}\nfunc last() {}\n'],
  ['swift', 'func a() -> String {\n  #"a "b" } { \\(c)"#\n}\nfunc last() {}\n'],
  ['swift', 'func a() {\n  d(#"""\n    "}" \\#(e)\n    """#)\n}\nfunc last() {}\n'],
  ['swift', 'func a() {\n  if let b = try await c() {\n    d(())\n  }\n}\nfunc last() {}\n'],
  ['swift', 'class A {\n  nonisolated(unsafe) static var b = 1\n  func last() {}\n}\n'],
  ['cpp', 'class EXPORT A final : public B {\n  void last() {}\n};\n'],
  ['cpp', 'template <class T> struct API(1) A<T*> {\n  void last() {}\n};\n'],
  ['cpp', 'enum class EXPORT A : int { B };\nEXPORT inline void last() {}\n'],
  ['cpp', 'BEGIN_NAMESPACE\n\nnamespace a {\nEXPORT a::b f() {\n}\n}\nvoid last() {}\n'],
  ['cpp', 'EXPORT A::A() NOTHROW : b_(1) {}\nA::~A() { c(); }\nvoid A::last() {}\n'],
  [
    'cpp',
    'class A {\n  CONST A() noexcept : b() {}\n  int last() const LOCKS(a) { return 1; }\n};\n',
  ],
  [
    'cpp',
    'void a() { b = (int) MAX; c = (d) FN(e); }\n#if defined(F)\nTEST(G, H) {}\n#endif\nvoid last() {}\n',
  ],
  ['dart', '@TestOn("vm")\nlibrary;\n\nvoid last() {}\n'],
  ['dart', 'abstract class A {\n  abstract final Uri url;\n  void last() {}\n}\n'],
  ['dart', 'void a() {\n  outer:\n  for (;;) break outer;\n}\nvoid last() {}\n'],
  [
    'dart',
    'void a() {\n  switch (b) {\n    case C.d:\n      if (e) f();\n  }\n}\nvoid last() {}\n',
  ],
]

test.for(parsedWhole)('%s is parsed without errors: %j', async ([language, text]) => {
  const file = await readSource(`a.${language}`, text)
  expect(file.parsed.hasErrors).toBe(false)
  const lines = text.slice(0, text.indexOf(' last()')).split('\n').length
  const last = placesOf(file).find(({ path }) => /(?:^|\/)last$/.test(path))
  expect(last).toMatchObject({ first: lines, last: lines, extent: 'parsed' })
})

test('what the parser sees instead is in no name, signature or text', async () => {
  const text = 'public struct A: ~Copyable {\n  package static func `package`(sending: Int) {}\n}\n'
  const file = await readSource('a.swift', text)
  expect(file.symbols.map(({ path, start, end }) => [path, file.text.slice(start, end)])).toEqual([
    ['A', text.trimEnd()],
    ['A/package', '  package static func `package`(sending: Int) {}'],
  ])
})

test('a shift is no here-document where the parser fails', async () => {
  const text =
    'struct A {\n  func a() { b(1 << n) }\n  func c() {\n    d(\n  }\n}\n\nfunc last() {\n}\n'
  const places = placesOf(await readSource('a.swift', text))
  expect(places.find(({ path }) => path === 'last')).toMatchObject({ first: 8, last: 9 })
  expect(places.find(({ path }) => path === 'A')).toMatchObject({ first: 1, last: 6 })
})
