import { expect, test } from 'vitest'
import { firstLines } from '../../src/outline/signature.ts'
import { placesOf, readSource } from './read-source.ts'

/** Symbols as `path kind first–last`. */
const cases: readonly [file: string, text: string, symbols: readonly string[]][] = [
  // Functions that are given to a call.
  [
    'a.ts',
    'export const Field = forwardRef<A>((props, ref) => {\n  return null\n})\n',
    ['Field function 1–3'],
  ],
  [
    'a.tsx',
    'const List = memo(forwardRef(function Inner(props) {\n  return null\n})) as L\n',
    ['List function 1–3', 'List/Inner function 1–3'],
  ],
  ['a.js', 'exports.f = wrap(async (a) => {\n  await a\n})\n', ['exports/f method 1–3']],
  ['a.js', 'class A {\n  on = throttle(() => {\n  }, 10)\n}\n', ['A class 1–4', 'A/on method 2–3']],
  ['a.js', 'const useA = create()(devtools((set) => ({ a: 1 })))\n', ['useA function 1–1']],
  [
    'a.js',
    'const a = b.map((c) => c + 1)\nconst t = setTimeout(() => {}, 1)\nconst d = e((s) => s.d)\n',
    [],
  ],
  // Default exports.
  ['a.ts', 'export default function () {\n}\n', ['default function 1–2']],
  ['a.js', 'export default class {\n  a() {}\n}\n', ['default class 1–3', 'default/a method 2–2']],
  ['a.js', 'export default (a) => a\n', ['default function 1–1']],
  [
    'a.js',
    'export default {\n  data() {},\n}\n',
    ['default module 1–3', 'default/data method 2–2'],
  ],
  ['a.js', 'export default make({ b: 1 })\n', ['default function 1–1']],
  ['a.js', 'export default class A {}\n', ['A class 1–1']],
  ['a.js', 'const a = 1\nexport default a\n', []],
  // Functions named by an argument of a macro.
  [
    'a.c',
    '#define FN(n) int n(void)\nFN(get) {\n  return 1;\n}\n',
    ['FN macro 1–1', 'get function 2–4'],
  ],
  ['a.c', 'SYSCALL(read, unsigned int, fd)\n{\n}\n', ['read function 1–3']],
  ['a.c', 'static int FOO(bar)(int a)\n{\n}\n', ['bar function 1–3']],
  ['a.c', 'int MAIN(argc) {\n}\n', ['MAIN function 1–2']],
  [
    'a.cpp',
    'TEST(Suite, Name) {\n  A(1);\n}\nTEST(Suite, Other) {\n}\n',
    ['Suite/Name method 1–3', 'Suite/Other method 4–5'],
  ],
  ['a.cpp', 'TEST_CASE("is, so", "[a]") {\n  int a = 1;\n}\n', ['is, so function 1–3']],
  ['a.cpp', 'class ABC {\n  ABC(Foo) {}\n};\n', ['ABC class 1–3', 'ABC/ABC method 2–2']],
  // C++.
  ['a.cpp', 'A::operator bool() const {\n  return b;\n}\n', ['A/operator bool method 1–3']],
  ['a.cpp', `template <class T> struct A<${'B<T>, '.repeat(40)}C> {\n};\n`, ['A struct 1–2']],
  ['a.cpp', 'inline unknown_attribute a::b f(int c) {\n}\n', ['f function 1–2']],
  [
    // Where the parser fails, by braces.
    'a.cpp',
    'class unknown A : B {\n  A() : a_(1), b_{2} {\n  }\n  int last() {\n  }\n};\n',
    ['A function 2–3', 'last function 4–5'],
  ],
]

test.for(cases)('%s with %j has its symbols by name', async ([file, text, symbols]) => {
  const places = placesOf(await readSource(file, text))
  const outline = places.map(({ path, kind, first, last }) => `${path} ${kind} ${first}–${last}`)
  expect(outline).toEqual(symbols)
})

const note = '("of the same text, which is long")'

test.for([
  ['A.java', `class A {\n  @B${note}\n  @C({1, 2})\n  void f(int a) {}\n}\n`, 'void f(int a)'],
  ['A.cs', `class A {\n  [B${note}, C]\n  // so\n  [D]\n  void F(int a) {}\n}\n`, 'void F(int a)'],
  ['a.rs', `#[b${note}]\nfn f(a: u8) {}\n`, 'fn f(a: u8)'],
  ['a.py', `@b.c${note}\n@d\ndef f(a):\n    pass\n`, 'def f(a)'],
  ['a.py', '@property\ndef f(a):\n    pass\n', '@property def f(a)'],
  ['a.ts', `class A {\n  [${note}](a) {}\n}\n`, `[${note}](a)`],
  ['a.ts', `class A {\n  @B${note} [c](a) {}\n}\n`, '[c](a)'],
] as const)(
  '%s with %j shows names and parameters behind annotations',
  async ([file, text, line]) => {
    const { symbols } = await readSource(file, text)
    expect(firstLines(text, symbols.at(-1) ?? expect.fail())).toBe(line)
  },
)
