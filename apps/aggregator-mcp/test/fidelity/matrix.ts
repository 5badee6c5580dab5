import { afterAll, beforeAll, describe, test } from 'vitest'
import { exceptions, lines } from './fidelity.ts'
import { type Combination, told } from './rig/combinations.ts'
import { type Link, openLink } from './rig/link.ts'
import { aggregatorIsBuilt } from './rig/processes.ts'

/** Every line of the contract, at each of the combinations. */
export function testFidelity(combinations: readonly Combination[], isRequested = true): void {
  // Where everything has to hold, it is not skipped for want of a build.
  for (const at of combinations)
    describe.skipIf(
      !isRequested || (at.way !== 'direct' && !process.env['CI'] && !aggregatorIsBuilt()),
    )(told(at), () => {
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
    })
}
