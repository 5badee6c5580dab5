import { readFileSync } from 'node:fs'
import { allSites, homeOf } from '@pith-mcp/docs'
import { describe, expect, test } from 'vitest'
import { startSite } from '../../../packages/docs/test/loopback-site.ts'
import { aws, awsOptions } from '../../../packages/docs/test/sites/aws.ts'
import { listSites } from '../src/cli/list-sites.ts'
import { parseConfig, readDocsSettings as readSettings } from '../src/config.ts'
import { siteNames } from '../src/settings.ts'

const read = (argv: string[], environment: Record<string, string> = {}) => {
  const { settings } = parseConfig(argv)
  return readSettings({ site: settings.site, compat: settings.compat }, undefined, environment)
}

describe('--site and --compat', () => {
  test('know the sites that the library knows', () => {
    expect([...siteNames].toSorted()).toEqual(
      allSites
        .filter(({ isAt }) => isAt)
        .map(({ name }) => name)
        .toSorted(),
    )
    for (const name of siteNames) expect(homeOf(name, {})).toMatch(/^https:/)
  })

  test('name the site whose tools are offered', () => {
    expect(read(['--compat', 'snowflake'])).toMatchObject({
      compat: 'snowflake',
      site: ['snowflake'],
    })
    expect(read(['--site', 'mdn', '--site', 'aws'])).toMatchObject({ site: ['mdn', 'aws'] })
  })

  test('follow the partition and the name that the other server is given', () => {
    const environment = { AWS_DOCUMENTATION_PARTITION: 'AWS-CN', MCP_USER_AGENT: 'corp' }
    expect(read(['--compat', 'aws'], environment)).toMatchObject({
      site: ['aws-cn'],
      userAgent: 'corp',
    })
    expect(read(['--site', 'mdn'], environment).site).toEqual(['mdn'])
    expect(() => read(['--compat', 'aws'], { AWS_DOCUMENTATION_PARTITION: 'gov' })).toThrow(
      'AWS_DOCUMENTATION_PARTITION must be one of aws, aws-cn, got "gov".',
    )
  })

  test.for([
    [
      ['--site', 'azure'],
      '--site must be one of aws, aws-cn, snowflake, microsoft-learn, mdn, got "azure".',
    ],
    [['--compat', 'mdn'], '--compat must be one of aws, snowflake, got "mdn".'],
    [
      ['--compat', 'aws', 'https://docs.example.org/'],
      'The tools of --compat aws read that site only. Leave out the source https://docs.example.org/.',
    ],
    [['--user-agent', 'a\nb'], '--user-agent must be one line of ASCII characters, got "a\\nb".'],
    [
      ['search', 'aws', 'x', '--filter', 'product'],
      '--filter must be written as name=value, got "product".',
    ],
  ] as const)('%j is refused, and what there is is named', ([argv, message]) => {
    expect(() => parseConfig([...argv])).toThrow(message)
  })
})

test('docs/sites.md names every site and every setting', () => {
  const manual = readFileSync(new URL('../../../docs/sites.md', import.meta.url), 'utf8')
  for (const { name, defaults } of allSites) {
    // The table of the settings is the last one.
    const line = manual.split('\n').findLast((one) => one.startsWith(`| \`${name}\``))
    for (const [option, value] of Object.entries(defaults)) {
      expect(line).toContain(`\`${option}\``)
      expect(line).toContain(value)
    }
  }
})

describe('docs-mcp sites', () => {
  const settings = (sites: object = {}) =>
    readSettings({ cache: false, sites, timeout: 2 }, undefined, {})

  test('lists what each can do', async () => {
    const { text } = await listSites(settings(), [])
    for (const { name } of allSites) expect(text).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(text).toMatch(
      /aws .*search; 11 languages; filters product, guide; recommendations; contents/,
    )
  })

  test('says whose search is asked, or which way the pages are found', async () => {
    const service = await aws.start()
    const plain = await startSite({
      '/': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<main><h1>The manual</h1></main>'),
    })
    const { text, isOk } = await listSites(settings({ aws: awsOptions(service.url) }), [
      `${service.url}/`,
      `${plain.url}/`,
      'http://127.0.0.1:9/',
    ])
    expect(text).toContain(`${service.url}/: AWS documentation search (aws)`)
    expect(text).toContain(
      `${plain.url}/: no supported search service; its pages are indexed locally, found by links from page to page`,
    )
    expect(text).toMatch(/127\.0\.0\.1:9\/: .*could not be read/)
    expect(isOk).toBe(false)
    await service.close()
    await plain.close()
  })
})
