import { usePathname } from 'wouter/use-browser-location'
import { basePath, pathBelow } from '../text/base-path.ts'

/** Of this page, below the base. As in the address: the router's own hook decodes names in it. */
export const usePath = (): string => pathBelow(basePath, usePathname())
