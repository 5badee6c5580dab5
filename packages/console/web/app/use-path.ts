import { usePathname } from 'wouter/use-browser-location'
import { basePath, pathBelow } from '../text/base-path.ts'

/** The path of this page below the base, still encoded: the router's own hook decodes it. */
export const usePath = (): string => pathBelow(basePath, usePathname())
