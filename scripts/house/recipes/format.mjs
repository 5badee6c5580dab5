export const format = {
  title: 'Add a format of pages',
  steps: [
    {
      text: 'Add a file to `packages/formats/src/readers/` with a row of the table: media types, file names, how a text is read (most formats become Markdown or HTML for the cleaner) and its links. Add it to `packages/formats/src/all-formats.ts`. Which files are listed, unpacked, decoded and counted as not read follows from the row.',
      places: [
        {
          path: 'packages/formats/src/readers/typst.ts',
          create: `import { cleanMarkdown } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { markdownLinks, maxInlineMarkdown } from './markdown.ts'

export const typst: Format = {
  name: 'Typst',
  names: /\\.typ$/i,
  maxInlineLength: maxInlineMarkdown,
  read: (text, options) =>
    cleanMarkdown(text.replace(/^=+(?= )/gm, (signs) => '#'.repeat(signs.length)), options),
  links: markdownLinks,
}
`,
        },
        {
          path: 'packages/formats/src/all-formats.ts',
          after: "import { plainText } from './readers/plain-text.ts'\n",
          insert: "import { typst } from './readers/typst.ts'\n",
        },
        {
          path: 'packages/formats/src/all-formats.ts',
          after: '  plainText,\n',
          insert: '  typst,\n',
        },
      ],
    },
    {
      text: 'Add a page to `packages/docs/test/fixtures/formats/`, which `formats.test.ts` reads from a folder and from servers.',
      places: [
        {
          path: 'packages/docs/test/fixtures/formats/Typst.typ',
          create: '= Ropes\n\nRopes are long.\n\n== Knots\n\nTie a bowline first.\n',
        },
      ],
    },
    {
      text: 'Describe what is read in `docs/read-a-page/formats.md`; if the format is in a list of those not read (`docs/search/sources.md`, `documents` of `packages/formats/src/page-format.ts`), remove it there: tests that use it as an example of one take another.',
      places: [
        {
          path: 'docs/read-a-page/formats.md',
          before: 'In a folder, a text or Markdown file next to',
          insert: 'Files and URLs that end in `.typ` are read by their titles.\n\n',
        },
      ],
    },
  ],
  tests: ['packages/docs/test/formats.test.ts', 'packages/docs/test/text-pages.test.ts'],
}
