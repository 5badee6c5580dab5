import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeFolder, codeFolder } from './code-folder.ts'

const many = Array.from(
  { length: 120 },
  (_, at) =>
    `    case ${at}: {\n        // { not a brace\n        puts("}{");\n        DISPATCH(${at})\n        break;\n    }\n`,
).join('')

const files = {
  'macro.c': `
#include <stdio.h>
PyObject* _Py_HOT_FUNCTION
eval_frame(State *tstate, int throwflag)
{
    switch (tstate->op) {
${many}    }
    return 0;
}

static int
after(void)
{
    return 1;
}
`,
  'choice.c': `
int SOME_ATTRIBUTE(x)
branches(int a)
{
#ifdef ONE
    if (a) {
#else
    if (!a) {
#endif
        a++;
    }
#if 0
    } } } "
#endif
    return a;
}
#ifdef ONE
int HOT one(void) { return 1; }
#else
int HOT other(void) { return 2; }
#endif
int last(void) { return '}' + "\\"}"[0]; }
`,
  'old.c':
    'int MACRO old(a, b) { return a; }\nMACRO_CALL(x, y)\nint HOT behind_macro(int a) { return a; }\n',
  'broken.go':
    'package a\n\nfunc One() int {\n\tif x := ; {\n\t\ty := "}"\n\t}\n\treturn 1\n}\n\nfunc Two() int {\n\treturn 2\n}\n',
}

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder(files)
})
afterAll(() => it.remove())

const linesOf = (path: keyof typeof files, from: number, to: number): string =>
  files[path]
    .split('\n')
    .slice(from - 1, to)
    .join('\n')

describe('where the parser fails', () => {
  test('a function behind a macro is found, whole, and its extent said to be recovered', async () => {
    const { entries } = await it.code.outline('macro.c')
    expect(entries.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual([
      ['eval_frame', 3, 729],
      ['after', 731, 735],
    ])
    expect(entries[0]).toMatchObject({ extent: 'recovered', kind: 'function' })
    expect(entries[1]).toMatchObject({ extent: 'parsed' })
    const page = await it.code.functionChunk('macro.c', 'eval_frame', { pageSize: 0 })
    expect(page).toMatchObject({ extent: 'recovered', totalPages: 1 })
    expect(page.text).toBe(linesOf('macro.c', 3, 729))
  })

  test('its pages end between statements all the same', async () => {
    let pageToken: string | undefined
    const starts: string[] = []
    do {
      const page = await it.code.functionChunk('macro.c', 'eval_frame', {
        pageSize: 300,
        ...(pageToken !== undefined && { pageToken }),
      })
      starts.push(page.text.split('\n')[0] as string)
      pageToken = page.nextPageToken
    } while (pageToken !== undefined)
    expect(starts.length).toBeGreaterThan(8)
    for (const line of starts.slice(1))
      expect(line).toMatch(
        /^ {4}case \d+: \{$|^ {8}(?:puts|break|DISPATCH|\/\/ \{ not)|^ {4}return/,
      )
  })

  test('of what a preprocessor chooses from, the first counts; what it leaves out does not', async () => {
    const { entries } = await it.code.outline('choice.c')
    expect(entries.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual([
      ['branches', 2, 16],
      ['one', 18, 18],
      ['other', 20, 20],
      ['last', 22, 22],
    ])
  })

  test('a macro before a function is not taken for its name', async () => {
    const { entries } = await it.code.outline('old.c')
    expect(entries.map(({ path }) => path)).toEqual(['old', 'behind_macro'])
  })

  test('the functions around it stay as they are', async () => {
    const { entries } = await it.code.outline('broken.go')
    expect(entries.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual([
      ['One', 3, 8],
      ['Two', 10, 12],
    ])
  })

  test.each<[string, string, (string | number)[][]]>([
    [
      'partial.cs',
      'namespace N {\n  public partial class Reader\n#if DISPOSABLE\n    : IDisposable\n#endif\n  {\n    int a() { return 1; }\n  }\n}\n',
      [['N/Reader', 2, 8]],
    ],
    [
      'view.h',
      'template <typename Char> class view {\n public:\n#if OLD\n  INLINE\n#endif\n  CONST view(const Char* s) : data_(s) {\n#if LENGTH(x) || OLD\n    if (is<Char>::value && !detail::is(1)) {\n      return;\n    }\n#endif\n  }\n  template <typename S, ENABLE(like<S>::value&& same<typename S::t, Char>::value)>\n  constexpr view(const S& s) : data_(s.data()) {}\n  auto end() const -> Char* { return data_; }\n};\nPRAGMA_OFF(ignored "-Wweak")\n\n/// An error.\nclass VISIBLE("default") error : public std::runtime_error {\n  int code;\n};\n',
      [
        ['view', 1, 16],
        ['error', 20, 22],
      ],
    ],
    [
      'soft.kt',
      '@OptIn(Unsafe::class)\nactual class Crc {\n  fun next() = 1\n}\n\n@Name("a") // of the kitchen\nenum class Pot { A }\n\n@Old(\n  message = "(no)",\n)\n@Target(CLASS)\nannotation class Kept\n',
      [
        ['Crc', 1, 4],
        ['Pot', 6, 7],
        ['Kept', 9, 13],
      ],
    ],
    [
      'broken.ts',
      'export interface Box {\n  a: int name;\n  open(): void\n}\nfunction ( {\nexport class Lid extends Box {\n  close() { return "}" }\n}\n',
      [
        ['Box', 1, 4],
        ['Lid', 6, 8],
      ],
    ],
    [
      'members.cs',
      'class A {\n  public static bool Is(string s)\n#if OLD\n    => s == "";\n#else\n    => s != "";\n#endif\n  void End() { }\n}\n',
      [['A/Is', 2, 7]],
    ],
  ])('types are found, whole: %s', async (path, text, expected) => {
    const folder = await codeFolder({ [path]: text })
    const { entries } = await folder.code.outline(path)
    const all = entries.map((entry) => [entry.path, entry.startLine, entry.endLine])
    expect(all).toEqual(expect.arrayContaining(expected))
    await folder.remove()
  })

  test('a macro has its value, also in lines that continue it', async () => {
    const text =
      '#define PLAIN 11\n#  define LONG (1 << 3) /* eight */ \\\n  + 2 /* ten\n */\n#define EMPTY\n#define CALL(a) \\\n  do { /* once */ \\\n    a; \\\n  } while (0)\nint last;\n'
    const folder = await codeFolder({ 'a.h': text })
    const textOf = async (name: string) => (await folder.code.functionChunk('a.h', name)).text
    expect(await textOf('PLAIN')).toBe('#define PLAIN 11')
    expect(await textOf('LONG')).toBe('#  define LONG (1 << 3) /* eight */ \\\n  + 2 /* ten\n */')
    expect(await textOf('EMPTY')).toBe('#define EMPTY')
    expect((await textOf('CALL')).split('\n')).toHaveLength(4)
    await folder.remove()
  })
})
