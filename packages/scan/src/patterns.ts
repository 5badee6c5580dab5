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

/** What is the same in all languages: forms of a chat, of a path, an address or a command. */
export const instructing: Patterns = {
  'imitates markers of a system prompt': [
    /<\/?\s?(?:important|system|instructions?|secret|admin|critical|system[_-](?:reminder|prompt|message|note|instructions?)|tool[_-](?:description|result|response|output|definition)s?|function_(?:results?|calls?)|assistant|human|developer|start_of_turn|end_of_turn|priority|override)\s*>|<\|[\w▁-]{3,30}\|>|\[\/?INST\]|<<\/?SYS>>/i,
    /[[【{(<]{1,2}\s?(?:end of |begin |start |new )?(?:system|sistema|système|systeem|система|系统|システム|시스템|النظام|מערכת|sistem|hệ thống|systém|सिस्टम|systemu?|developer|admin(?:istrator)?)(?: ?(?:message|prompt|note|instructions?|override|notice|update|alert|消息|提示|メッセージ|메시지))?\s?[:\]】})>]/i,
    /^[ \t#*>]*(?:human|assistant)[ *]*:|^[ \t*>]*(?:SYSTEM|SISTEMA|SYSTÈME|СИСТЕМА|SISTEM|SYSTEEM|SYSTÉM)(?: [A-Z]+)? *[:：]|^#+[ \t]*(?:system|developer|sistema|système|система)\b[^\n:]{0,20}:?$|^#+[ \t]*system *:|^(?:系统|系統|システム|시스템|النظام|מערכת)[^\n:：]{0,6}[:：]/im,
    /[-=#*~]{3,} ?(?:end|begin|start|fin|ende) [\w ]{0,20}(?:tool|description|prompt|instructions?|user|input|documentation)\b|"role"\s*:\s*"(?:system|developer|assistant)"/i,
  ],
  'asks to send something elsewhere': [
    /!\[[^\]\n]{0,80}\]\(https?:[^)\s]{0,300}[?&][\w-]{1,40}=(?:[{<[$%]|[A-Z_]{3,})|\b(?:append|put|insert|encode)\b[^.]{0,60}\b(?:to|into)\b[^.]{0,20}https?:\S{0,300}[?&][\w-]{1,40}=(?:[\s{<[]|$)/im,
  ],
  'asks to run a command or to approve something': [
    /\b(?:curl|wget)\b[^|]{0,200}\|\s?(?:sudo )?(?:ba|z)?sh\b|\brm -rf? [~/]|"?auto[_-]?approve"?\s?[:=]|dangerously-skip-permissions|\b(?:require|ask|need)s?[_-]?(?:confirm|approv|permission)\w{0,8}"?\s?(?:to|[:=])\s?"?(?:false|off|never|no)\b|\bsudo [a-z]+ /i,
  ],
}

/** Where credentials are kept. */
export const keyPath =
  /(?<=[\w~}>%][/\\])\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|pgpass|git-credentials|env|claude|cursor|azure|bash_history|zsh_history|config[/\\](?:gcloud|gh|google-chrome))\b|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow)\b|\.(?:ssh|aws|kube)[/\\](?:id_|credentials|config)/gi

/** Names of the aggregator's own tools. */
export const ownToolName =
  /^(?:search_tools|get_module_schema|call|call_read_only|batch|read_more)$/
