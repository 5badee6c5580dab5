export { builtIn } from './built-in.ts'
export { describeChoice, input, launchOf, planEntry } from './plan-entry.ts'
export { createRegistry, type Registry } from './registry.ts'
export type { RegistryEntry } from './registry-entry.ts'
