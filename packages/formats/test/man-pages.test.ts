import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { man } from '../src/readers/man.ts'

async function readMan(text: string) {
  const page = await man.read(`.TH TIE 1\n.SH TEXT\n${text}`, { url: 'tie.1' })
  return { page, markdown: toMarkdown(page), unread: page.health.unread }
}

test('options are entries, also with several terms, and with lists in them', async () => {
  const { page, markdown } = await readMan(
    '.TP\n.BR \\-a , \\-\\-all\n.TQ\n.B \\-A\nAll of:\n.RS\n.IP \\(bu 2\none\n.IP \\(bu\ntwo\n.RE\n.TP\n\\fB\\-b\\fP \\fIN\\fP\nNext.\n.PP\nAfter.',
  )
  const entries = page.sections.filter(({ kind }) => kind === 'entry')
  expect(entries.map(({ id }) => id)).toEqual(['-a', '-b'])
  expect(entries[1]?.title).toBe('-b N')
  expect(markdown).toContain('- one\n')
  expect(markdown).toContain('After.')
})

test('a line in one font before an indent is the term of it, as DocBook writes options', async () => {
  const { page } = await readMan(
    '.PP\n\\fISailSize=\\fR\n.RS 4\nHow much.\n.PP\nMore.\n.RE\n.PP\n\\-a, \\-\\-all\n.RS 4\nAll.\n.RE\n.PP\nExample:\n.RS 4\nhaul\n.RE',
  )
  const entries = page.sections.filter(({ kind }) => kind === 'entry')
  expect(entries.map(({ id, title }) => `${id} ${title}`)).toEqual([
    'SailSize SailSize=',
    '-a -a, --all',
  ])
  expect(entries[0]?.blocks.map(({ markdown }) => markdown).join('\n')).toMatch(
    /How much\.\s+More\./,
  )
})

test('code is verbatim, and tables are tables', async () => {
  const { markdown } = await readMan(
    '.nf\n\\fBif\\fP (a < b)\n\n    return "\\en";\n.fi\nText.\n.TS\ntab(;) allbox;\nc s\nlb l\nl l.\nRopes\n_\nName;Use\n_\na;T{\nfirst\n.B second\nT};\nb;c\n.TE',
  )
  expect(markdown).toContain('```\nif (a < b)\n\n    return "\\n";\n```')
  expect(markdown).toContain('|Ropes||\n|-|-|\n|Name|Use|\n|a|first **second**|\n|b|c|')
})

test('conditions, definitions and comments are no text, and unknown macros keep theirs', async () => {
  const { markdown, unread } = await readMan(
    '.if t shown on paper\n.if n shown here\n.ie \\n(.g .ds C s\n.el .ds C "y\n.if 0 \\{\nskipped\n.\\}\n.de XX\nmacro\n..\n.YY "kept text"\n\\" comment\nend\\*C \\(em \\[u20AC]\n.so man1/other.1',
  )
  expect(markdown).toContain('shown here kept text ends — €')
  expect(markdown).not.toMatch(/paper|skipped|macro|comment/)
  expect(unread).toEqual(['1 call of the unknown macro .YY', '1 included file'])
})

test('macros of the page are performed with their arguments, to a depth that is said', async () => {
  const macros = '.de ZN\n\\fB\\\\$1\\fP\\\\$2\n..\n.de LOOP\nturn\n.LOOP\n..\n'
  const { markdown, unread } = await readMan(`${macros}.ZN tie ,\n.ZN "a rope"\n.LOOP\nend`)
  expect(markdown).toContain(`**tie**, **a rope** ${'turn '.repeat(5)}end`)
  expect(unread).toEqual(['1 macro past the limit'])
})

test('signs have their names, and one that is not known stays and is counted', async () => {
  const { markdown, unread } = await readMan(
    "5\\(fm \\(*l \\[r!] \\[u00E9] \\[u0041_0301] \\[char65] \\C'mo' \\*(Ge \\o'=/' \\(zz \\[nosuch]",
  )
  expect(markdown).toContain('5′ λ ¡ é Á A ∈ ≥ =/ \\\\(zz \\\\[nosuch]')
  expect(unread).toEqual(['2 unknown signs'])
})

test.for([
  ['.ie "a"a" yes\n.el no', 'yes'],
  ['.ie "a"b" yes\n.el no', 'no'],
  [".if !'a'b' yes", 'yes'],
  ['.nr x 2\n.nr x +1\n.ie \\nx=3 yes\n.el no', 'yes'],
  ['.ie (1+2*3=9)&(4>=4) yes\n.el no', 'yes'],
  ['.ie \\n(.g:0 yes\n.el no', 'yes'],
  ['.ds q a\n.if "\\*q"a" \\{\\\n.ie 0 no\n.el yes\n.\\}', 'yes'],
  ['.de XX\n.ie \\\\n(.$=2 \\\\$2\n.el no\n..\n.XX a yes', 'yes'],
  ['.de XX YY\n.shift\n\\\\$1\n.return\nno\n.YY\n.als ZZ XX\n.ZZ no yes', 'yes'],
  ['.nr n 0 1\n.if \\n+n=1 yes', 'yes'],
])('%j leaves %j', async ([source = '', words]) => {
  const { markdown, unread } = await readMan(source)
  expect(markdown.split('TEXT')[1]?.trim()).toBe(words)
  expect(unread).toBeUndefined()
})

test('a condition that cannot be judged is performed, and is counted', async () => {
  const { markdown, unread } = await readMan('.if (1+ shown')
  expect(markdown).toContain('shown')
  expect(unread).toEqual(['1 condition that cannot be judged'])
})

test('a line that ends in an escaped backslash is one of its own', async () => {
  const { markdown } = await readMan('.nf\ncc -c \\\\\n  file.c\none \\\ntwo\n.fi')
  expect(markdown).toContain('cc -c \\\n  file.c\none two')
})

test('a synopsis has its forms on lines of their own, and what is optional in brackets', async () => {
  const { markdown } = await readMan(
    '.SY tie\n.OP \\-a\n.OP \\-n number\n.SY tie\n.B \\-h\n.YS\nEnd.',
  )
  expect(markdown).toContain('**tie** [-a] [-n number]\n\n**tie** **-h**\n\nEnd.')
})

test('heads of several lines, functions in them, and blocks of a font', async () => {
  const { markdown } = await readMan(
    '.Sh X\n.Bl -tag\n.It Xo Ic tie\n.Op Fl b\n.Op Fl n Ar number Op Ar more\n.Xc\nTie.\n.It Xo\n.Ft int\n.Fo cut\n.Fa "int a"\n.Fa "int b"\n.Fc\n.Xc\nCut.\n.El\n.Bf -literal\n$y$\n.Ef\n.Pp\nEnd.',
  )
  expect(markdown).toContain('**tie** [**-b**] [**-n** *number* [*more*]]')
  expect(markdown).toContain('*int* **cut**(*int a*, *int b*)')
  expect(markdown).toContain('`$y$`\n\nEnd.')
})

test('functions and files of mdoc are as in C, and its sentences are whole', async () => {
  const { markdown } = await readMan(
    '.Dd x\n.Sh NAME\n.Nm tie\n.Nd tie ropes\n.Sh SYNOPSIS\n.In tie.h\n.Ft int\n.Fo tie\n.Fa "int rope" "int knot"\n.Fc\n.Ft void\n.Fn cut void\n.Sh RETURN VALUES\n.Rv -std tie cut\nSee\n.In tie.h ,\n.Fn cut .\n.An -split\n.Ex -std',
  )
  expect(markdown).toContain('**#include \\<tie.h>**')
  expect(markdown).toContain('*int* **tie**(*int rope*, *int knot*);\n\n*void* **cut**(*void*);')
  expect(markdown).toContain('The **tie**(), **cut**() functions return the value 0 if successful;')
  expect(markdown).toContain('See \\<tie.h>, **cut**(). The **tie** utility exits 0 on success')
})

test.for([
  'x'.repeat(1_000_000),
  '\\'.repeat(1_000_000),
  '\\['.repeat(500_000),
  '.RS\n'.repeat(200_000),
  '.TP\n'.repeat(200_000),
  '.if n \\{'.repeat(100_000),
  '.de\n'.repeat(100_000),
  `.de A\n${'.A\n'.repeat(50)}..\n${'.A\n'.repeat(100_000)}`,
  `.TS\nl.\n${'T{\n.TS\nl.\n'.repeat(50_000)}\n.TE`,
  '\\fB'.repeat(1_000_000),
  `.TS\nl.\n${`${'a\t'.repeat(10_000)}\n`.repeat(50)}.TE`,
  `.Dd x\n.Sh y\n.Fa ${'. '.repeat(50_000)}`,
  `.ds a ${'z'.repeat(1_000)}\n${'\\*a'.repeat(300_000)}`,
  `.Dd x\n.Sh y\n.Op ${'Op '.repeat(200_000)}\n${'.Bl -tag\n.It a\n'.repeat(5_000)}`,
  `.B ${'"'.repeat(1_000_000)}`,
])('a hostile page is read in bounded work: %#', async (text) => {
  const { page, markdown } = await readMan(text)
  expect(page.title).toBe('tie(1)')
  expect(markdown.length).toBeLessThan(4_000_000)
})
