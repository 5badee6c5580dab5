import { test } from 'vitest'
import { openTeamWorld } from './world/open-team-world.ts'
const shots = process.env['SHOTS'] ?? ''
test('look', async () => {
  const world = await openTeamWorld()
  for (let times = 0; times < 3; times++) await world.call('github', 'list_issues')
  await world.call('github', 'fail_now').catch(() => {})
  for (const scheme of ['light', 'dark'] as const)
  for (const width of [1440, 390]) {
    const { page, problems } = await world.openSignedIn({ viewport: { width, height: 900 }, colorScheme: scheme })
    for (const [name = '', path = ''] of [
      ['server', '/servers/github'],['http', '/servers/notion'], ['off', '/servers/crm'], ['broken', '/servers/warehouse'], ['offers', '/servers/grafana'],
      ['journal', '/journal'], ['usage', '/usage'], ['times', '/usage?since=2026-01-01T00:00:00.000Z'], ['live', '/live'], ['overview', '/'], ['destr', '/tools/tool?server=slack&name=delete_channel'],
    ]) {
      if (scheme === 'dark' && !['server','journal','usage'].includes(name)) continue
      await page.goto(world.url + path)
      await page.waitForTimeout(1500)
      if (name === 'live') { await world.call('github', 'list_issues'); await page.waitForTimeout(600) }
      if (name === 'journal') await page.getByRole('button', { name: 'Details of line 2', exact: true }).click()
      if (name === 'offers') for (const s of await page.locator('summary').all()) await s.click()
      console.log(name, width, scheme, await page.evaluate('document.documentElement.scrollWidth'))
      await page.screenshot({ path: `${shots}/${name}-${width}-${scheme}.png`, fullPage: true })
    }
    console.log(problems)
    await page.context().close()
  }
  await world.close()
}, 280_000)
