import { afterAll, beforeAll, describe, test } from 'vitest'
import { exceptions, lines } from './fidelity.ts'
import { type Combination, direct, throughAggregator, told } from './rig/combinations.ts'
import { type Link, openLink } from './rig/link.ts'
import { aggregatorIsBuilt } from './rig/processes.ts'

function matrix(at: Combination) {
  let link: Link
  beforeAll(async () => {
    link = await openLink(at)
  })
  afterAll(() => link?.close())

  for (const [name, holds] of Object.entries(lines)) {
    const exception = exceptions.find(({ line, at: where }) => line === name && where(at))
    if (exception) test.skip(`${name} (not here: ${exception.why})`)
    else test(name, () => holds(link))
  }
}

for (const at of direct) describe(told(at), () => matrix(at))

for (const at of throughAggregator) {
  // Where everything has to hold, it is not skipped for want of a build.
  describe.skipIf(!process.env['CI'] && !aggregatorIsBuilt())(told(at), () => matrix(at))
}
