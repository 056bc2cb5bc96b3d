/*
 * Removes what vendors say in errors about the gateway's account (organizations, projects, teams, keys)
 * before a caller reads it. The log keeps the full message. The rules go by the shape of what follows a word,
 * so that the caller's own text, which a vendor may quote, stays readable.
 */

const redacted = '[redacted]'

const title = '(?:Organi[sz]ation|Org|Project|Team|Workspace|Tenant|Subscription|Account)'
const owner =
  '(?:organi[sz]ation|org|project|team|workspace|tenant|subscription|' +
  '(?:billing |service )?account|api[ _-]?key)'
const kind = '(?:[ _-]?(?:id|ID|Id|[Nn]ame|[Nn]umber|uuid|UUID|[Ss]lug))?'
const quoted =
  '(?:"[^"\\n]{1,120}"|\'[^\'\\n]{1,120}\'|`[^`\\n]{1,120}`|“[^”\\n]{1,120}”|' +
  '‘[^’\\n]{1,120}’|<[^<>\\n]{1,120}>)'
/** A token that contains a digit, a mask or a separator: not a plain word. */
const identifier = String.raw`(?=[\w.@-]*[\d*_@-])[\w*][\w.*@:/-]*[\w*]`
/** `Acme`, `Acme Research Inc.`: words that begin with a capital letter. */
const properName = String.raw`[A-Z0-9][\w&'.-]*(?: (?:[A-Z0-9&][\w&'.-]*|of|and))*`
const masked = String.raw`[\w-]*(?:\*{2,}|\.{3,}|\u2026)[\w*-]*`
/** After a noun without punctuation in between: not a word of the sentence. */
const number =
  String.raw`(?:(?=[\w.@-]*\d)\w[\w.-]*-[\w.-]*\w|\d{3,}|[0-9a-f-]{16,}|` +
  String.raw`(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,})`

/** `acme-prod`: a name of several words. Words such as `pre-paid` are excluded. */
const slug = '(?!(?:re|pre|non|so|up|over|pay|self|multi)-)[a-z0-9]+(?:[-_][a-z0-9]+)+'
/** Capitalized words after a noun, in a title or at the beginning of a sentence, that are not names. */
const noName =
  '(?!(?:ID|Id|Not|Is|Has|Was|Must|May|Does|Limit|Rate|Quota|Error|Access|Name|Settings|Owner|Admin|' +
  'Disabled|Suspended|Invalid|Exceeded|Over|Usage|Plan|Tier|And|Or|The|This|Please|Header|' +
  '[RT]P[MDS])\\b)'

type Rule = [names: RegExp, replacement: string]

/** Keys, complete or masked, and other credentials. */
const credentials: Rule[] = [
  [/\b(Bearer|Basic) +[\w.~+/=*-]{6,}/g, `$1 ${redacted}`],
  [of('sk|rk|pk|gsk|xai|hf|pplx|fw|csk|nvapi', String.raw`(?:${masked}|[\w-]{10,})`), redacted],
  [/\b(?:AIza|AKIA|ya29\.|eyJ|AQ\.|tgp_)[\w.*-]{6,}[\w*]/g, redacted],
  // Moonshot's name of a key, after the account's.
  [/<ak-[\w-]+>/g, `<${redacted}>`],
  [
    pattern(
      'gi',
      String.raw`\b((?:api[ _-]?key|access token)(?: provided| used)?:? )`,
      '(?=\\S*[\\d*…-])["\'`]?[\\w.*…-]*[\\w*…]["\'`]?',
    ),
    `$1${redacted}`,
  ],
  [/\b(key|token|secret)( ending (?:in|with)):? ["'`]?[\w*.…-]*[\w*]["'`]?/gi, `$1$2 ${redacted}`],
]

/** A segment of a URL path that identifies an account, organization or the like. */
const consoles = '(?:teams?|org(?:anization)?s?|workspaces?|accounts?|projects?|keys?)/'

/** Resource paths, host names that contain a resource's name, account numbers, people's addresses. */
const clouds: Rule[] = [
  [/\/subscriptions\/[^\s'"`,;)]+/gi, `/subscriptions/${redacted}`],
  [
    pattern(
      'gi',
      String.raw`\b[\w-]+(?=\.(?:openai|services\.ai|cognitiveservices|cognitive|inference\.ml)`,
      String.raw`\.(?:azure|microsoft|windows)\.\w+)`,
    ),
    redacted,
  ],
  [/\barn:aws[\w-]*:[^\s'"`,;)]+/gi, redacted],
  [
    pattern(
      'g',
      String.raw`\b(projects|organizations|folders|billingAccounts|tenants)\/(?:[A-F0-9]{4,}[A-F0-9-]*|`,
      String.raw`\d{4,}|(?:[a-z][\w.]*:)?[a-z][a-z0-9-]{4,}[a-z0-9])`,
      String.raw`(?![\w-]|\.\w)`,
    ),
    `$1/${redacted}`,
  ],
  // `https://console.x.ai/team/<uuid>/billing`; but `…/account/rate-limits` is the same for everybody.
  [
    pattern(
      'g',
      String.raw`(\bhttps?:\/\/[^\s'"<>]{1,200}?\/${consoles})`,
      String.raw`(?:(?=[\w.%-]*\d)[\w.%-]*[\w%]|[\w.%-]+(?=\/))`,
    ),
    `$1${redacted}`,
  ],
  // Fireworks' own models are available to everybody.
  [/\b(accounts\/)(?!fireworks\b)[a-z0-9]+(?:-[a-z0-9]+)*(?=\/models\/| (?:is|has)\b)/g, `$1${redacted}`],
  [/\b(IP(?: address)?:? )\d{1,3}(?:\.\d{1,3}){3}\b/g, `$1${redacted}`],
  [
    /\b(uid|project_number|project_id|projectNumber|projectId)(["']?\s*[:=/]\s*["']?)[\w:.-]+/g,
    `$1$2${redacted}`,
  ],
  [/([?&](?:project|organization|org|account)=)[\w:.%-]+/gi, `$1${redacted}`],
  [/\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, redacted],
]

/** Identifiers that show by their shape whose they are. */
const shapes: Rule[] = [
  [
    of(
      'org|proj|wrkspc',
      String.raw`(?!(?:id|name|slug|key)s?\b)(?:[A-Za-z0-9]{3,}|[A-Za-z]*\d[A-Za-z0-9]*)[\w-]*`,
    ),
    redacted,
  ],
  [
    of(
      'user|team|acct|account|workspace|svcacct|cus|key',
      String.raw`(?=[A-Za-z]*\d|[a-z]*[A-Z]+[a-z])[A-Za-z0-9]{6,}[\w-]*`,
    ),
    redacted,
  ],
]

/** What follows a word such as "team" or "organization". */
const owners: Rule[] = [
  // ` Team: t-1,` in a list of other information is removed completely.
  [
    pattern(
      'g',
      ` ?\\b(?:${title}|API key)${kind}: `,
      `(?:${quoted}|\\[redacted\\]|${identifier}|${properName}),`,
    ),
    '',
  ],
  [pattern('g', `\\b(${title}${kind}: )${properName}`), `$1${redacted}`],
  [
    pattern('gi', `\\b(${owner}${kind}["']?\\s*[:=#]\\s*)`, `(?:${quoted}|${masked}|${identifier}|\\d+)`),
    `$1${redacted}`,
  ],
  [
    pattern('gi', `\\b(${owner}[ _-](?:id|name|number|uuid|slug)["']?\\s*[:=]\\s*)`, '[\\w.-]*\\w'),
    `$1${redacted}`,
  ],
  [
    pattern(
      'gi',
      `\\b((?:organi[sz]ation|org|team|workspace|tenant)(?:: | ?= ?))`,
      `[\\w-]+(?: [\\w&'.-]+){0,3}?(?=[,;.)]|$)`,
    ),
    `$1${redacted}`,
  ],
  [pattern('gi', `\\b(key[_ ]?name["']?\\s*[:=]\\s*)(?:${quoted}|[\\w-]+)`), `$1${redacted}`],
  [pattern('gi', `\\b(${owner} (?:named|called) )(?:${quoted}|[\\w-]+)`), `$1${redacted}`],
  [pattern('gi', `\\b(${owner}${kind} )(?:${quoted}|${number})(?![\\w'’])`), `$1${redacted}`],
  [pattern('gi', `\\b((?:${owner}${kind}|resource|deployment) )${slug}(?![\\w'’])`), `$1${redacted}`],
  [
    pattern('g', `\\b((?:[Oo]rgani[sz]ation|[Oo]rg|[Tt]eam|[Ww]orkspace|[Tt]enant) )${noName}${properName}`),
    `$1${redacted}`,
  ],
  [
    pattern(
      'g',
      '\\b((?:in|for|of|by|to|from|under|on) (?:the |your )?',
      `(?:organi[sz]ation|team|workspace|project|account) )${properName}`,
    ),
    `$1${redacted}`,
  ],
  [
    pattern('gi', `\\b(${owner}${kind} (?:\\[redacted\\] )?)`, String.raw`\((?!s\))[^()\n]{1,120}\)`),
    `$1(${redacted})`,
  ],
  [/\((org|team|project|account|workspace): [^(),\n]{1,120}/gi, `($1: ${redacted}`],
  [
    pattern('gi', `\\b(resource|deployment|resource group|consumer|customer) (?:${quoted})`),
    `$1 ${redacted}`,
  ],
  // The vendor's id for the request: the error's envelope has ours.
  [/\b((?:request|correlation|activity|trace)[ _-]id:? )["'`(]?[\w-]{6,}["'`)]?/gi, `$1${redacted}`],
]

const rules: readonly Rule[] = [...credentials, ...clouds, ...shapes, ...owners]

/** The vendor's message as a caller may read it. */
export function withoutOurAccount(message: string): string {
  let cleaned = message
  for (const [names, replacement] of rules) cleaned = cleaned.replaceAll(names, replacement)
  return cleaned
}

/** Matches tokens that begin with one of these and a hyphen or underscore. */
function of(beginnings: string, rest: string): RegExp {
  return pattern('g', `\\b(?:${beginnings})[-_]${rest}`)
}

function pattern(flags: string, ...pieces: string[]): RegExp {
  return new RegExp(pieces.join(''), flags)
}
