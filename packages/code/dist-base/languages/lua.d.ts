import { type Language } from './language.ts';
export declare const lua: Language;
//# sourceMappingURL=lua.d.ts.map