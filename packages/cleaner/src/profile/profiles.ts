import { apiTools } from './api-tools.ts'
import type { Profile } from './profile.ts'
import { siteGenerators } from './site-generators.ts'
import { sites } from './sites.ts'

/** The first that fits a page is taken. */
export const profiles: readonly Profile[] = [...apiTools, ...sites, ...siteGenerators]
