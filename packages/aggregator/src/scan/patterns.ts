/** Patterns by the finding that is shown as the reason. */
type Patterns = Readonly<Record<string, readonly RegExp[]>>

/** Invisible to people who read a definition, but not to a model. */
export const hidden: Patterns = {
  'invisible characters of the tag block': [/[\u{E0000}-\u{E007F}]/u],
  'variation selectors that spell a text': [/[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{3,}/u],
  'characters that change the direction of text': [/[\u202A-\u202E\u2066-\u2069]/],
  // Joiners are normal in some scripts and between emoji, not between Latin letters.
  'invisible characters inside words': [
    /[\u0020-\u024F][\u200B-\u200D\u2060-\u2064\uFEFF\u00AD]+[\u0020-\u024F]|[\u200B\u2060-\u2064\u180E]{2,}/,
  ],
  'control characters': [/(?![\t\n\r])\p{Cc}/u],
}

/**
 * A definition describes a tool. These patterns address the model about something else. English, and
 * for instructions to disregard: Chinese, Japanese, Korean, Russian, Romance languages, German.
 */
export const instructing: Patterns = {
  'asks to disregard instructions': [
    /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|other|system|all)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines|directives)\b/i,
    /(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|抛弃)[^。\n]{0,12}(?:之前|以前|先前|此前|以上|上述|上面|所有|全部|一切)[^。\n]{0,12}(?:指令|指示|命令|提示|规则|規則)/,
    /(?:以前|これまで|今まで|上記|前の|先の|すべて|全て)[^。\n]{0,12}(?:指示|命令|規則|ルール|プロンプト)[^。\n]{0,10}(?:無視|忘れ|破棄|従わ)/,
    /(?:이전|앞선|위의|기존|지금까지|모든)[^.\n]{0,12}(?:지시|지침|명령|규칙|프롬프트)[^.\n]{0,12}(?:무시|잊|따르지)/,
    /(?:игнорир|забуд|не обращай|пренебрег)[^.\n]{0,40}(?:предыдущ|прежн|прошл|ранн|выше|все)[^.\n]{0,25}(?:инструкц|указан|правил|команд)/i,
    /\b(?:ignor|olvid|esquec|oubli|desconsider|descart)\w+\b[^.\n]{0,30}\b(?:instruc|regles|reglas|regras|consignes|directives|ordenes|ordens)\w*[^.\n]{0,20}\b(?:anterior|anterieur|previ[ao]|preced|ci-dessus|plus haut|de arriba|acima)/,
    /\b(?:ignorier|vergiss|vergesst|missachte)\w*\b[^.\n]{0,20}\b(?:vorherig|bisherig|fruher|obig|vorig|all|samtlich)\w*\b[^.\n]{0,20}\b(?:anweisung|regel|instruktion|vorgabe|befehl)/,
  ],
  'asks to keep something from the user': [
    /\b(?:do not|don'?t|never|without)\b[^.\n]{0,30}\b(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|alert(?:ing)?)\b[^.\n]{0,40}\buser\b/i,
    /\bthe user\b[^.\n]{0,20}\b(?:must|should|may) (?:not|never)\b[^.\n]{0,20}\b(?:know|notice|learn)\b/i,
    /\b(?:hide|conceal|keep)\b[^.\n]{0,30}\b(?:from the user|secret from)\b/i,
  ],
  'imitates markers of a system prompt': [
    /<\/?(?:important|system|instructions?|secret|admin|critical)\s*>|<\|[a-z_]{3,30}\|>|\[\/?INST\]|<<SYS>>/i,
    /^[ \t#*]*(?:Human|human|HUMAN|Assistant|assistant|ASSISTANT)[ *]*:|^(?:SYSTEM|#+ *System) *:/m,
  ],
  'names files with credentials': [
    /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|claude|cursor|config\/gcloud)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b/i,
  ],
  'asks to call other tools first or instead': [
    /\b(?:before(?: using| calling)? (?:any|every|all)|instead of(?: using)?(?: the| any| all)?) other\b[^.\n]{0,20}\btools?\b|\b(?:always|must)\b[^.\n]{0,20}\b(?:used|called|run) first\b|\b(?:never|do not|don'?t) (?:use|call)\b[^.\n]{0,20}\btools? (?:of|from) other\b/i,
    /\b(?:before|whenever|when|instead of)\b[^.\n]{0,30}\b(?:using|calling|invoking|running)\b[^.\n]{0,20}\b(?:any|every|all|other)\b[^.\n]{0,12}\btools?\b[^.\n]{0,80}\b(?:must|always|first)\b/i,
  ],
  'asks to send something elsewhere': [
    /\b(?:send|forward|upload|exfiltrate|post|copy|bcc)\b[^.\n]{0,60}\b(?:conversation|chat history|system prompt|credentials|private keys?|api[ _-]?keys?|passwords|environment variables)\b[^.\n]{0,60}\b(?:to|at)\b/i,
    /!\[[^\]\n]{0,80}\]\(https?:[^)\s]{0,300}[?&][\w-]{1,40}=[{<[)]|\b(?:append|put|insert|encode)\b[^.\n]{0,60}\b(?:to|into)\b[^.\n]{0,20}https?:\S{0,300}[?&][\w-]{1,40}=(?:[\s{<[]|$)/im,
  ],
}

/** Names of the aggregator's own tools. */
export const ownToolName = /^(?:search_tools|get_module_schema|call|batch|read_more)$/
