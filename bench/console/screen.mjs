// What pages of the console show, as texts.

/** Texts of a list of terms, by term. */
export async function termsOf(page, selector) {
  const rows = page.locator(`${selector} > div`)
  const texts = await rows.evaluateAll((list) =>
    list.map((row) => {
      const value = row.querySelector('dd b') ?? row.querySelector('dd')
      return [row.querySelector('dt').textContent, value.textContent]
    }),
  )
  return Object.fromEntries(texts)
}

/** Rows of a table, each as the texts of its cells. */
export async function rowsOf(page, name) {
  const table = page.getByRole('table', { name })
  await table.waitFor()
  return table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
}

/** A chart as its table: names of the series, and for each time the texts of their values. */
export async function chartOf(page, title) {
  await page.getByRole('button', { name: 'Table' }).click()
  const table = page.getByRole('table', { name: title })
  const [, ...names] = await table.locator('thead th').allTextContents()
  const times = await table
    .locator('tbody time')
    .evaluateAll((list) => list.map((time) => time.dateTime))
  const rows = await rowsOf(page, title)
  return { names, points: rows.map(([, ...texts], at) => ({ time: times[at], texts })) }
}
