import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Schema, Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, test } from 'vitest'

let validator: Validator

/** The schemas of CycloneDX 1.6, as its library brings them. */
beforeAll(() => {
  const library = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  )
  const schema = (name: string): Schema => {
    const path = join(dirname(library), 'res/schema', `${name}.SNAPSHOT.schema.json`)
    return { ...JSON.parse(readFileSync(path, 'utf8')), $id: `${name}.SNAPSHOT.schema.json` }
  }
  validator = new Validator(schema('bom-1.6'), '7', false)
  for (const name of ['spdx', 'jsf-0.82']) validator.addSchema(schema(name))
})

describe.each(readdirSync('apps'))('the bill of materials of %s', (app) => {
  const bom = () => JSON.parse(readFileSync(`apps/${app}/dist/sbom.cdx.json`, 'utf8'))

  test('is valid CycloneDX 1.6', () => {
    const { valid, errors } = validator.validate(bom())
    expect({ valid, errors: errors.slice(-3) }).toEqual({ valid: true, errors: [] })
    expect(validator.validate({ ...bom(), components: [{ type: 'part' }] }).valid).toBe(false)
  })

  test('names each package once, with its licence, and by whom it is needed', () => {
    const { metadata, components, dependencies } = bom()
    const refs = components.map((each: { 'bom-ref': string }) => each['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    for (const component of components) expect(component.licenses).toHaveLength(1)
    const graph = new Map<string, string[]>(
      dependencies.map(({ ref, dependsOn = [] }: { ref: string; dependsOn?: string[] }) => [
        ref,
        dependsOn,
      ]),
    )
    expect([...graph.keys()].sort()).toEqual([metadata.component['bom-ref'], ...refs].sort())
    const reached = new Set<string>()
    const walk = (ref: string) => {
      if (reached.has(ref)) return
      reached.add(ref)
      for (const next of graph.get(ref) ?? []) walk(next)
    }
    walk(metadata.component['bom-ref'])
    expect([...reached].sort()).toEqual([...graph.keys()].sort())
  })
})
