/** Something to redact by its pattern. `name` appears in the replacement: `[redacted:email]`. */
export interface Shape {
  name: 'private_key' | 'token' | 'credential' | 'api_key' | 'email'
  /** The pattern is only run if the text contains one of these; absent: always. */
  hints?: readonly string[]
  /** Its group `keep` remains before the replacement, `after` behind it. */
  pattern: RegExp
}

/**
 * JavaScript's regular expressions backtrack, and callers choose the text. So each pattern begins at the
 * start of a run of its characters or at a literal, repeats one class at a time, and has an upper bound if
 * another class may match the same characters: the running time is linear in the text, not quadratic.
 * Operators' patterns run on an engine that guarantees this (`own-patterns.ts`).
 */

const wordStart = '(?<![A-Za-z0-9])'
/** What separates a name from its value in code, JSON, and JSON within JSON. */
const assigned = String.raw`["'\\]{0,4}\s{0,4}[:=]>?\s{0,4}["'\\]{0,4}`
const keyKind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'

/** Names whose assigned value is a secret. */
const secretWords =
  '(?:api|access|secret|private|auth|client|refresh|session|account|encryption|signing|master)' +
  '[-_ ]?(?:key|token|secret)|secret|passwd|password|passphrase|pwd'

/** Known prefixes of vendors' keys, as secret scanners use them. */
const keyPrefixes = [
  String.raw`(?:sk|rk|pk|ak)[-_](?=[\w-]{0,64}\d)[\w-]{14,}`,
  String.raw`(?:whsec|gsk|hf|r8|fw|npm|dop_v1|nvapi|xai|pplx|tvly|pypi|glpat|lin_api|csk|vcp)[-_][\w-]{14,}`,
  String.raw`AIza[\w-]{20,}`,
  String.raw`gh[pousr]_\w{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`,
  String.raw`\d{8,10}:AA[\w-]{30,}`,
]

/** In order: a later pattern does not see what an earlier one has replaced. */
export const shapes: readonly Shape[] = [
  {
    name: 'private_key',
    hints: ['-----BEGIN '],
    pattern: new RegExp(`-----BEGIN ${keyKind}-----(?:[\\s\\S]*?-----END ${keyKind}-----|[\\s\\S]*$)`, 'g'),
  },
  { name: 'token', hints: ['eyJ'], pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*){0,3}/g },
  {
    name: 'credential',
    hints: ['://'],
    pattern: /(?<keep>:\/\/[^\s:/@"'<>]{0,128}:)[^\s@/"'<>]{1,256}(?<after>@)/g,
  },
  {
    name: 'credential',
    pattern: new RegExp(
      `${wordStart}(?<keep>authorization${assigned}(?:(?:bearer|basic|token)\\s{1,4})?)[^\\s"',\\\\[\\]]{6,}`,
      'gi',
    ),
  },
  { name: 'token', pattern: /(?<![A-Za-z0-9])(?<keep>bearer\s{1,4})(?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{16,}/gi },
  { name: 'api_key', pattern: new RegExp(`(?<![A-Za-z0-9])(?:${keyPrefixes.join('|')})`, 'g') },
  {
    name: 'credential',
    pattern: new RegExp(
      `${wordStart}(?<keep>(?:[A-Za-z0-9]{1,32}_){0,4}(?:${secretWords})${assigned})` +
        `(?=[^\\s"'\\\\,;&<>{}()[\\]]{0,64}[\\d!#$%^*])[^\\s"'\\\\,;&<>{}()[\\]]{6,}`,
      'gi',
    ),
  },
  {
    name: 'credential',
    hints: ['='],
    pattern:
      /(?<keep>[?&](?:key|token|sig|signature|api[-_]?key|access_token|secret|password)=)[^&\s"'<>[\]]{6,}/gi,
  },
  {
    name: 'email',
    hints: ['@'],
    pattern:
      /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
  },
]

/** Members whose text is a secret, whatever it looks like. */
export const secretMember = new RegExp(
  [
    '(?:^|[_.-])(?:pwd|secret|credential|authorization(?:[_-]token)?)',
    '(?:password|passwd|passphrase)',
    '(?:api|access|secret|private|signing|master)[_-]?key',
    '(?:access|refresh|auth|session|id|bearer|api)[_-]?token',
    '(?:client|app|api)[_-]?secret',
  ]
    .map((name) => `${name}$`)
    .join('|'),
  'i',
)
