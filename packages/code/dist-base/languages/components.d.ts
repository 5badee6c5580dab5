import type { Language } from './language.ts';
/** Files whose scripts are read, with the lines of the file. */
export declare const components: readonly Language[];
//# sourceMappingURL=components.d.ts.map