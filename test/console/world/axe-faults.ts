import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** Serious violations that axe finds in the current page; of these rules, or of all. */
export async function axeFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe)
  const options = rules.length > 0 ? { runOnly: rules } : {}
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
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
