import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** What every README of a library says, in this order; it may say more below its API. */
const skeleton = ['When to use it', 'When not', 'API', 'Security', 'Compatibility']

describe.for(readdirSync('packages'))('%s', (name) => {
  const readme = readFileSync(`packages/${name}/README.md`, 'utf8')
  const titles = [...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title)

  test('has a README of the same shape as the others', () => {
    expect(readme.startsWith(`# @pith-mcp/${name}\n`)).toBe(true)
    expect(readme).toContain(`npm install @pith-mcp/${name}\n`)
    expect(titles.filter((title) => skeleton.includes(title ?? ''))).toEqual(skeleton)
  })

  test('names every error that it throws', () => {
    const file = readdirSync(`packages/${name}/src`).find((each) => /^[a-z]+-error\.ts$/.test(each))
    const codes =
      file &&
      readFileSync(`packages/${name}/src/${file}`, 'utf8').match(/Code =([^\n]|\n {2})+/)?.[0]
    if (!codes) return
    for (const [, code] of codes.matchAll(/'(\w+)'/g)) expect(readme).toContain(`\`${code}\``)
  })
})
