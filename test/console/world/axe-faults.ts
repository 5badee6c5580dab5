import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: {
    id: string
    impact: string
    tags: string[]
    nodes: { html: string; failureSummary: string }[]
  }[]
}

/** WCAG 2.2 A and AA. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Violations of WCAG that axe finds in the current page, and grave ones of its other rules. */
export async function axeFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe)
  const options = rules.length > 0 ? { runOnly: rules } : {}
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(
      ({ impact, tags }) =>
        /serious|critical/.test(impact) || tags.some((tag) => wcag.includes(tag)),
    )
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
}

/** The same in the light theme, and of the dark one what differs: its colours. */
export async function axeFaultsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await axeFaults(page, ['color-contrast']))]
}
