/** A recipe as a section of CONTRIBUTING.md. */
const sectionOf = ({ title, intro, steps, note, tests }) => {
  const files = [...new Set([...tests, 'test/layers.test.ts'])]
  const run = `Run \`pnpm build\` and \`pnpm vitest run ${files.join(' ')}\`.`
  const list = [...steps.map(({ text }) => text), run].map((text, at) => `${at + 1}. ${text}`)
  return [`## ${title}`, intro, list.join('\n'), note].filter(Boolean).join('\n\n')
}

const begin = '<!-- recipes: scripts/house/recipes/ -->'
const end = '<!-- end of recipes -->'

/** CONTRIBUTING.md with the recipes between its marks. @throws {Error} without the marks */
export function withRecipes(text, recipes) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`CONTRIBUTING.md has no ${begin} … ${end}.`)
  const sections = recipes.map(sectionOf).join('\n\n')
  return `${text.slice(0, from + begin.length)}\n\n${sections}\n\n${text.slice(to)}`
}
