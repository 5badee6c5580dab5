import { expect, test } from 'vitest'
import { lineDefinitions } from '../../src/languages/line-definitions.ts'
import { readSource } from './read-source.ts'

/** Definitions as `kind name name, kind name`, in the order of the file. */
const cases: readonly [file: string, text: string, found: string][] = [
  [
    'a.c',
    '#define MAX 3\n#define F(a) a\nint a = 1, *b[2];\nextern int c;\nint f(int d);\ntypedef int (*cb_t)(int);\nstruct s { int x; union { int i; }; } v;\nenum { A = 1, B };\nint f(int d) { int e; return e; }\n',
    'variable a b, type cb_t, variable v, field x, field i, enum member A, enum member B, macro MAX',
  ],
  [
    'a.cpp',
    'namespace n {\nclass A {\n public:\n  A& operator=(A) = delete;\n  std::map<int, B> m_ LOCKED_BY(mu_);\n  static int count;\n  void f() { int x = 1; }\n};\nint A::count = 0;\n}\n',
    'field m_, field count, variable count',
  ],
  [
    'a.go',
    'package a\nconst (\n\tA = iota\n\tB\n)\nvar x, y = 1, 2\nvar _ I = z\ntype S struct {\n\tp, q int\n\tEmbedded\n}\nfunc f() { const c = 1 }\n',
    'constant A, constant B, variable x y, field p q',
  ],
  [
    'a.rs',
    'pub const A: u8 = 1;\nstatic mut B: u8 = 1;\nstruct S {\n    #[a]\n    pub x: u8,\n}\nenum E { One, Two(u8) }\nimpl S { const C: u8 = 2; }\nlazy_static! {\n    static ref D: u8 = 1;\n}\ncfg! {\n    pub fn late() {}\n}\nfn f() { const X: u8 = 1; }\n',
    'constant A, constant B, field x, enum member One, enum member Two, constant C, constant D, constant late',
  ],
  [
    'A.java',
    'class A {\n  private static final Map<String, B> X = y(), Z = w();\n  @C // c\n  int[] a, b;\n  void f() { int c; }\n  enum E { ONE(1), TWO; final int rank; }\n}\n',
    'constant X Z, field a b, enum member ONE, enum member TWO, field rank',
  ],
  [
    'A.cs',
    'namespace N;\nclass A {\n  public const int Max = 1;\n  [B] private readonly List<C> _d = new();\n  public event E Changed;\n  public int this[int i] => i;\n  enum F { G, H = 2 }\n}\n',
    'constant Max, field _d, field Changed, enum member G, enum member H',
  ],
  [
    'a.py',
    'A = 1\nb, c = 2, 3\nd: int = 4\nf(\n    g=5,\n)\nif b:\n    h = 6\ntry:\n    import i\nexcept E:\n    i = None\nt = """a, u"""\nclass J:\n    k: int\n    L = 7\n    def m(self):\n        n = 8\n',
    'constant A, variable b c, variable d, variable h, variable i, variable t, field k, field L',
  ],
  [
    'a.ts',
    "export const A: Map<B, C> = new Map<B, C>(), d = 1\nlet { e, f: g, ...h } = i\nclass J {\n  #k = 1\n  static readonly l?: number\n  m = () => { const n = 1 }\n}\ninterface O { 'a-b'?: string; p(): void; q: { r: 1 } }\nenum S { T, U = 'u' }\ndeclare global { var v: number }\ntest('w', () => { const x = 1; type Y = { z: 1 } })\nconst fn = () => {}\n",
    'constant A d, variable e g h, field #k, field l, field a-b, field q, enum member T, enum member U, variable v',
  ],
  [
    'a.js',
    'exports.A = 1\nmodule.exports.b = {\n  c: 1,\n}\nvar d, e = 2\n',
    'variable A, variable b, variable d e',
  ],
  [
    'a.php',
    "<?php\ndefine('A', 1);\nconst B = 2;\n$c = 3;\nclass D {\n  private const E = 1;\n  protected static ?int $f = 1;\n  function g() { $h = 1; }\n}\nenum I { case J; }\n",
    'constant A, constant B, variable c, constant E, field f, enum member J',
  ],
  [
    'a.rb',
    'A = 1\nb = 2\nclass C\n  D ||= 3\n  def e\n    f = 1\n  end\nend\n',
    'constant A, constant D',
  ],
  [
    'a.sh',
    'readonly A=1\nexport B=2\nif c; then\n  D=3\nfi\nf() {\n  E=1\n}\ng "h=1"\n',
    'constant A, variable B, variable D',
  ],
  [
    'a.lua',
    'local A, b = 1, 2\nM.c = 3\nlocal function d()\n  local e = 1\nend\n',
    'variable A b, variable c',
  ],
  [
    'a.kt',
    'const val A = 1\nval b: Int = 2\nclass C {\n  private lateinit var d: E\n  fun f() { val g = 1 }\n}\nenum class H { I, J }\n',
    'constant A, variable b, field d, enum member I, enum member J',
  ],
  [
    'a.scala',
    'object A {\n  val b, c = 1\n  lazy val d: E = f\n  def g() = { val h = 1; h }\n}\n',
    'field b c, field d',
  ],
  [
    'a.swift',
    'let a: [Int: Int] = [:], b = 1\nstruct C {\n  static let d = 1\n  func e() { let f = 1 }\n}\nenum G { case h, i(Int) }\n',
    'variable a b, field d, enum member h i',
  ],
  [
    'a.dart',
    'library d;\nconst a = 1;\nfinal b = 2;\nclass C {\n  final int d;\n  static const List<int> e = [1];\n  bool operator ==(Object f) => true;\n  void g() { var h = 1; }\n}\nenum I { j, k }\n',
    'variable a, variable b, field d, constant e, enum member j, enum member k',
  ],
]

test.for(cases)('%s with %j defines its values', async ([file, text, wanted]) => {
  const { language, symbols, parsed } = await readSource(file, text)
  if (!language) throw new Error(`${file} has no language.`)
  const definitions = lineDefinitions(text, language, symbols, parsed.units)
  for (const { name, at } of definitions) expect(text.slice(at, at + name.length)).toBe(name)
  const groups: string[] = []
  let last = -1
  for (const { name, kind, start } of definitions) {
    if (start === last) groups.push(`${groups.pop()} ${name}`)
    else groups.push(`${kind} ${name}`)
    last = start
  }
  expect(groups.join(', ')).toBe(wanted)
})
