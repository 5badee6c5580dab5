// The manual as a static site, in `site/`.
import { parseArgs } from 'node:util'
import { runStep } from './run-step.mjs'
import { siteUrl } from './site/addresses.mjs'

const folder = 'site'

const options = readArguments()
const install = ['install', '--frozen-lockfile', '--reporter=silent']
if ((await runStep('pnpm', install)) !== 0) {
  console.error(`Installing failed: pnpm ${install.join(' ')}`)
  process.exit(1)
}
try {
  await make(options)
} catch (error) {
  console.error(`The site could not be made: ${error.message}`)
  process.exit(1)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { serve: { type: 'boolean' }, 'base-url': { type: 'string', default: siteUrl } },
      allowPositionals: true,
    })
    const [port = '8080', ...rest] = positionals
    if (rest.length > 0 || !/^\d{1,5}$/.test(port)) throw new Error(`${positionals} is no port.`)
    const baseUrl = new URL(values['base-url'].replace(/\/*$/, '/'))
    return { baseUrl, port: values.serve ? Number(port) : undefined }
  } catch (error) {
    console.error(`${error.message}\nUsage: npm run site -- [--serve [port]] [--base-url <url>]`)
    return process.exit(2)
  }
}

async function make({ baseUrl, port }) {
  const started = performance.now()
  const { buildSite } = await import('./site/build-site.mjs')
  const { pages, problems } = await buildSite({ to: folder, baseUrl: baseUrl.href })
  const took = Math.round(performance.now() - started)
  console.log(`${pages.length} pages in ${took} ms, written to ${folder}/`)
  for (const problem of problems) console.warn(`! ${problem}`)
  if (port === undefined) return
  const { serveSite } = await import('./site/serve-site.mjs')
  const { url } = await serveSite({ folder, port, path: baseUrl.pathname })
  console.log(`${url} (ctrl-C ends it)`)
}
