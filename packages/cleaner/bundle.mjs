// Make the parser of Markdown one file. Its table of named characters is built by a `document` where
// a bundler takes files for browsers, and workers have none: here the table of the HTML parser serves.
import { rmSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { describeBundled } from '../../scripts/describe-bundled.mjs'

const file = 'dist/from-markdown/parse-markdown.js'
const decoder = `import { decodeHTMLStrict } from 'entities/decode'
export function decodeNamedCharacterReference(name) {
  const reference = '&' + name + ';'
  const character = decodeHTMLStrict(reference)
  return character !== reference && character
}`

const bundle = await rolldown({
  input: file,
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  external: ['entities/decode', 'mdast-util-to-string'],
  onLog(level, log, handle) {
    if (level === 'warn') throw new Error(log.message)
    handle(level, log)
  },
  plugins: [
    {
      name: 'named characters',
      resolveId: (id) => (id === 'decode-named-character-reference' ? `\0${id}` : undefined),
      load: (id) => (id === '\0decode-named-character-reference' ? decoder : undefined),
    },
  ],
})
const { output } = await bundle.write({
  file,
  format: 'esm',
  // Names and line breaks stay, so that stack traces are readable.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
})
await bundle.close()
rmSync(`${file}.map`, { force: true })
writeFileSync(
  'dist/third-party-notices.txt',
  describeBundled(output.flatMap(({ moduleIds = [] }) => moduleIds)).licences,
)
