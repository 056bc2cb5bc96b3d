/*
 * What vendors say in errors of the account that the gateway calls with: organizations, projects, teams, keys.
 * It is taken out before a caller reads it; the log keeps what was said. Judged by the shape of what follows,
 * so that a caller's own words which a vendor quotes stay readable.
 */

const redacted = '[redacted]'

const owner =
  '(?:organi[sz]ation|org|project|team|workspace|tenant|subscription|(?:billing |service )?account|api[ _-]?key)'
const kind = '(?:[ _-]?(?:id|ID|Id|[Nn]ame|[Nn]umber|uuid|UUID|[Ss]lug))?'
const quoted = '(?:"[^"\\n]{1,120}"|\'[^\'\\n]{1,120}\'|`[^`\\n]{1,120}`)'
/** A token with a digit, a mask or a separator in it: no plain word. */
const identifier = '(?=[\\w.@-]*[\\d*_@-])[\\w*][\\w.*@:/-]*[\\w*]'
/** `Acme`, `Acme Research Inc.`: words that begin in upper case. */
const properName = "[A-Z0-9][\\w&'.-]*(?: (?:[A-Z0-9&][\\w&'.-]*|of|and))*"
const masked = '[\\w-]*(?:\\*{2,}|\\.{3,}|…)[\\w*-]*'

const rules: [RegExp, string][] = [
  // Keys, whole or masked, and other credentials.
  [/\b(Bearer|Basic) +[\w.~+/=*-]{6,}/g, `$1 ${redacted}`],
  [
    /\b(?:sk|rk|pk|gsk|xai|hf|pplx|fw|csk|nvapi)[-_](?:[\w-]*(?:\*|\.{2,}|…)[\w*.-]*[\w*]|[\w-]{10,})/g,
    redacted,
  ],
  [/\b(?:AIza|AKIA|ya29\.|eyJ)[\w.*-]{6,}[\w*]/g, redacted],
  [
    /\b((?:api[ _-]?key|access token)(?: provided| used)?:? )(?=\S*[\d*…-])["'`]?[\w.*…-]{3,}["'`]?/gi,
    `$1${redacted}`,
  ],
  [/\b(key|token|secret)( ending (?:in|with)):? ["'`]?[\w*.…-]{2,}["'`]?/gi, `$1$2 ${redacted}`],
  // Clouds: paths of resources, hosts that carry a resource's name, accounts within ARNs.
  [/\/subscriptions\/[^\s'"`,;)]+/gi, `/subscriptions/${redacted}`],
  [
    /\b[\w-]+(?=\.(?:openai|services\.ai|cognitiveservices|cognitive|inference\.ml)\.(?:azure|microsoft|windows)\.\w+)/gi,
    redacted,
  ],
  [/\barn:aws[\w-]*:[^\s'"`,;)]+/gi, redacted],
  [
    /\bprojects\/(?:\d{4,}|(?:[a-z][\w.]*:)?[a-z][a-z0-9-]{4,}[a-z0-9])(?![\w-]|\.\w)/g,
    `projects/${redacted}`,
  ],
  [
    /\b(project_number|project_id|projectNumber|projectId)(["']?\s*[:=/]\s*["']?)[\w:.-]+/g,
    `$1$2${redacted}`,
  ],
  [/([?&](?:project|organization|org|account)=)[\w:.%-]+/gi, `$1${redacted}`],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, redacted],
  // Identifiers that say by their shape whose they are.
  [/\b(?:org|proj|wrkspc)[-_](?:[A-Za-z0-9]{3,}|[A-Za-z]*\d[A-Za-z0-9]*)[\w-]*/g, redacted],
  [
    /\b(?:user|team|acct|account|workspace|svcacct|cus|key)[-_](?=[A-Za-z]*\d|[a-z]*[A-Z]+[a-z])[A-Za-z0-9]{6,}[\w-]*/g,
    redacted,
  ],
  // ` Team: t-1,`: beside other things that are said, it goes as a whole.
  [
    new RegExp(
      ` ?\\b(?:Organi[sz]ation|Org|Project|Team|Workspace|Tenant|Subscription|Account|API key)${kind}: (?:${quoted}|\\[redacted\\]|${identifier}|${properName}),`,
      'g',
    ),
    '',
  ],
  [
    new RegExp(
      `\\b((?:Organi[sz]ation|Org|Project|Team|Workspace|Tenant|Subscription|Account)${kind}: )${properName}`,
      'g',
    ),
    `$1${redacted}`,
  ],
  [
    new RegExp(`\\b(${owner}${kind}["']?\\s*[:=#]\\s*)(?:${quoted}|${masked}|${identifier}|\\d+)`, 'gi'),
    `$1${redacted}`,
  ],
  [
    new RegExp(`\\b(${owner}[ _-](?:id|name|number|uuid|slug)["']?\\s*[:=]\\s*)[\\w.-]*\\w`, 'gi'),
    `$1${redacted}`,
  ],
  [
    new RegExp(
      `\\b(${owner}${kind} )(?:${quoted}|(?=[\\w.@-]*\\d)[\\w][\\w.-]*-[\\w.-]*\\w|\\d{3,}|[0-9a-f-]{16,})(?![\\w'’])`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  [
    new RegExp(
      `\\b((?:in|for|of|by|to|from|under|on) (?:the |your )?(?:organi[sz]ation|team|workspace|project|account) )(?-i:${properName})`,
      'g',
    ),
    `$1${redacted}`,
  ],
  [
    new RegExp(`\\b(${owner}${kind} (?:\\[redacted\\] )?)\\((?!s\\))[^()\\n]{1,120}\\)`, 'gi'),
    `$1(${redacted})`,
  ],
  [/\((org|team|project|account|workspace): [^(),\n]{1,120}/gi, `($1: ${redacted}`],
  [
    new RegExp(`\\b(resource|deployment|resource group|consumer|customer) (?:${quoted})`, 'gi'),
    `$1 ${redacted}`,
  ],
  // A request's name at the vendor: ours is in the envelope.
  [/\b((?:request|correlation|activity|trace)[ _-]id:? )["'`(]?[\w-]{6,}["'`)]?/gi, `$1${redacted}`],
]

/** What a vendor said, as a caller may read it. */
export function withoutOurAccount(message: string): string {
  let told = message
  for (const [names, replacement] of rules) told = told.replaceAll(names, replacement)
  return told
}
