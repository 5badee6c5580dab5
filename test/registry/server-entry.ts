import { z } from 'zod'

/**
 * An entry of the MCP Registry as its schema of 2025-12-11 has it, without what the three servers do
 * not use, and stricter: no other fields, versions that are versions, and a value or a name for
 * everything that a person is asked for. `mcp-publisher validate` asks the registry's own at release.
 */
const input = {
  description: z.string().min(1).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).min(1).optional(),
}

const version = z.string().regex(/^\d+\.\d+\.\d+$/)

const argument = z.discriminatedUnion('type', [
  z
    .strictObject({
      ...input,
      type: z.literal('positional'),
      valueHint: z.string().optional(),
      isRepeated: z.boolean().optional(),
    })
    .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined),
  z.strictObject({
    ...input,
    type: z.literal('named'),
    name: z.string().regex(/^--[a-z][a-z-]*$/),
    isRepeated: z.boolean().optional(),
  }),
])

const transport = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('stdio') }),
  z.strictObject({ type: z.literal('streamable-http'), url: z.url() }),
])

const npmPackage = z.strictObject({
  registryType: z.literal('npm'),
  identifier: z.string(),
  version,
  runtimeHint: z.literal('npx'),
  runtimeArguments: z.array(argument),
  transport,
  packageArguments: z.array(argument).optional(),
  environmentVariables: z
    .array(z.strictObject({ ...input, name: z.string().regex(/^[A-Z][A-Z0-9_]*$/) }))
    .optional(),
})

const bundle = z.strictObject({
  registryType: z.literal('mcpb'),
  identifier: z.url().regex(/^https:\/\/github\.com\/.*\.mcpb$/),
  version,
  fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
  transport: z.strictObject({ type: z.literal('stdio') }),
})

export const serverEntry = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  websiteUrl: z.url(),
  repository: z.strictObject({
    url: z.url(),
    source: z.literal('github'),
    subfolder: z.string(),
  }),
  packages: z.array(z.discriminatedUnion('registryType', [npmPackage, bundle])).min(1),
})
