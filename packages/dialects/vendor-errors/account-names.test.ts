import { describe, expect, it } from 'vitest'
import { withoutOurAccount } from './account-names.ts'

/** Shapes of real messages: what must be removed, and what must remain. */
const messages: [string, string, string[]][] = [
  [
    'Rate limit reached for gpt-4o in organization org-VDAWofJASuLH0vVz8o9tiQZr on ' +
      'tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in ' +
      '2s.',
    'Rate limit reached for gpt-4o in organization [redacted] on tokens per min (TPM): ' +
      'Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
    ['VDAW'],
  ],
  [
    'Request too large for model `llama-3.1-8b-instant` in organization ' +
      '`org_01j5b4pz9jff492fq686vypsx6` service tier `on_demand` on tokens per minute ' +
      '(TPM): Limit 6000, Requested 6294',
    'Request too large for model `llama-3.1-8b-instant` in organization [redacted] ' +
      'service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 6294',
    ['01j5'],
  ],
  [
    "This request would exceed your organization's rate limit of 30,000 input tokens per " +
      'minute (org: 9d50ef40-6cc8-4ca6-9d35-1dc9cf26235c, model: claude-sonnet-4-6).',
    "This request would exceed your organization's rate limit of 30,000 input tokens per " +
      'minute (org: [redacted], model: claude-sonnet-4-6).',
    ['9d50'],
  ],
  [
    'This request would exceed the rate limit for your organization ' +
      '(d3f27ff7-9afe-4ee2-9645-76ecfc73c2b7) of 40,000 input tokens per minute.',
    'This request would exceed the rate limit for your organization ([redacted]) of ' +
      '40,000 input tokens per minute.',
    ['d3f2'],
  ],
  [
    "Quota exceeded for quota metric 'Requests' of service 'x.googleapis.com' for " +
      "consumer 'project_number:681255809395'.",
    "Quota exceeded for quota metric 'Requests' of service 'x.googleapis.com' for consumer [redacted].",
    ['6812'],
  ],
  [
    'Publisher Model ' +
      '`projects/acme-prod-1/locations/us-central1/publishers/google/models/gemini-9` was ' +
      'not found or your project does not have access to it.',
    'Publisher Model ' +
      '`projects/[redacted]/locations/us-central1/publishers/google/models/gemini-9` was ' +
      'not found or your project does not have access to it.',
    ['acme'],
  ],
  [
    'Generative Language API has not been used in project 123456789 before or it is ' +
      'disabled. Visit ' +
      'https://console.developers.google.com/apis/api/x/overview?project=123456789 then ' +
      'retry.',
    'Generative Language API has not been used in project [redacted] before or it is ' +
      'disabled. Visit ' +
      'https://console.developers.google.com/apis/api/x/overview?project=[redacted] then ' +
      'retry.',
    ['1234'],
  ],
  ['for organization Acme Inc (org-abc123).', 'for organization [redacted] ([redacted]).', ['Acme', 'abc']],
  ['Rate limited in project proj_AbC123xyz.', 'Rate limited in project [redacted].', ['AbC']],
  ['Organization: org-xyz', 'Organization: [redacted]', ['xyz']],
  ['Organization ID: acme', 'Organization ID: [redacted]', ['acme']],
  ['Your team 1234 is over its limit.', 'Your team [redacted] is over its limit.', ['1234']],
  [
    'Your team 0a1b2c3d-0000-1111-2222-333344445555 has reached its limit.',
    'Your team [redacted] has reached its limit.',
    ['0a1b'],
  ],
  ['Team "Blue Whales" may not.', 'Team [redacted] may not.', ['Whales']],
  ['Incorrect API key provided: sk-proj-****abcd.', 'Incorrect API key provided: [redacted].', ['abcd']],
  ['Incorrect API key provided: sk-...abcd. See', 'Incorrect API key provided: [redacted]. See', ['abcd']],
  ['Incorrect API key provided: xa***', 'Incorrect API key provided: [redacted]', ['xa*']],
  ['API key AIzaSyA0123456789abcdef is not allowed', 'API key [redacted] is not allowed', ['AIza']],
  ['The key ending in 9f3c has no access', 'The key ending in [redacted] has no access', ['9f3c']],
  [
    "Resource '/subscriptions/0000-11/resourceGroups/rg-prod/providers/x' is busy",
    'Resource [redacted] is busy',
    ['rg-prod'],
  ],
  [
    'See https://acme-east.openai.azure.com/openai/deployments/x',
    'See https://[redacted].openai.azure.com/openai/deployments/x',
    ['acme'],
  ],
  ["The deployment 'acme-prod-gpt4' is busy", 'The deployment [redacted] is busy', ['acme']],
  ['Contact the owner ops@acme.example please', 'Contact the owner [redacted] please', ['acme']],
  ['user_3D0IVsejFIV6kOYwkxFE9nKiq0g is over', '[redacted] is over', ['3D0I']],
  ['{"organization":"acme-research","why":"x"}', '{"organization":[redacted],"why":"x"}', ['acme']],
  [
    'The server had an error. Include the request ID req_0123456789abcdef in your message.',
    'The server had an error. Include the request ID [redacted] in your message.',
    ['0123'],
  ],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/x is not allowed',
    '[redacted] is not allowed',
    ['1234'],
  ],
]

/** Messages for which only the removed part is checked. */
const further: [string, string][] = [
  ['Organization acme-corp has no credits.', 'acme'],
  ['Your org Acme Research reached its monthly limit', 'Acme'],
  ['team Acme has run out', 'Acme'],
  ['Permission denied on resource project acme-prod.', 'acme'],
  ['Team acme-ml hit its limit', 'acme'],
  ['key_name: production-key', 'production'],
  ['The API key named "prod key" lacks scope', 'prod'],
  ['The resource acme-openai-eastus has no capacity', 'acme'],
  ['Deployment acme-gpt4o-prod does not exist', 'acme'],
  ['org_name=Acme', 'Acme'],
  ['organization: acme', 'acme'],
  ['for billingAccounts/01ABCD-234567', '01ABCD'],
  ['{"organization_id":"org-abc","project":{"id":"proj_abc"}}', 'abc'],
  ['ORGANIZATION ORG-ABC123 OVER LIMIT', 'ABC'],
  ['Your account org-73f2a9<ak-eyabc123def> request reached max RPM: 3', 'eyabc'],
  ['Your account cv2abcd1234<ak-fooBar99> reached its concurrency', 'cv2abcd'],
  ['See https://console.x.ai/team/4bd7b7d1-8f3a-4d2a-9f3e-3a0c2f7f0000/billing.', '4bd7b7d1'],
  ['See https://console.x.ai/team/acme-ml/models', 'acme'],
  ['Manage it at https://openrouter.ai/settings/keys/abc123', 'abc123'],
  ['Model accounts/acme-corp/models/llama-ft not found', 'acme'],
  ['Access denied, workspace: ws-acme, uid: 1234567890123456', '1234567890123456'],
  ['Organization “Acme Labs” has exceeded its limit', 'Acme'],
  ['organization <Acme Labs> has exceeded its limit', 'Acme'],
  ['over the limit (organization: Acme Labs, model: x)', 'Acme'],
  ['organization=Acme Labs', 'Labs'],
  ['tgp_v1_abcdefghijklmnop is invalid', 'abcdef'],
  ['AQ.Ab8RN6Kabcdefghijklm is invalid', 'Ab8RN6'],
  ['Your IP address 203.0.113.77 is not on the list', '203.0'],
]

it.each(further)('removes the account from: %s', (message, gone) =>
  expect(withoutOurAccount(message)).not.toContain(gone),
)

describe("a vendor's statement about our account is removed", () => {
  it.each(messages)('%s', (message, expected, gone) => {
    expect(withoutOurAccount(message)).toBe(expected)
    for (const name of gone) expect(withoutOurAccount(message)).not.toContain(name)
    expect(withoutOurAccount(expected)).toBe(expected)
  })
})

describe("the caller's own text, and what helps the caller, stays unchanged", () => {
  it.each([
    "Invalid value: 'low-ish'. Supported values are: 'low' and 'high'.",
    'seed: Extra inputs are not permitted; user: Extra inputs; project: Extra inputs',
    'prompt is too long: 207791 tokens > 200000 maximum',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "Tool call id 'call_0123456789abcdef' has no result; see messages[3].tool_call_id",
    'The model `gpt-9` does not exist or you do not have access to it.',
    'You exceeded your current quota, please check your plan and billing details.',
    'Your organization must be verified to stream this model.',
    "Expected an object, got 'the team of seven met in the project room'",
    "Could not read 'src/projects/readme.md'",
    'user_messages and team-management are no fields; key-value pairs are',
    "The organization of words matters: 'in our project plans'",
    'Limit 30000, Requested 41234.',
    'Organization Not Found. This organization is not self-served; the account was re-activated.',
    'Invalid API key-value pair; your team is over its pre-paid limit.',
    'Your account reached organization TPM rate limit, current: 32041, limit: 32000.',
    'See https://platform.openai.com/account/rate-limits and https://openrouter.ai/settings/keys.',
    'Model accounts/fireworks/models/gpt-oss-120b is not deployed.',
    'Could not fetch http://10.0.0.7/a.png',
    'organization: Extra inputs are not permitted',
  ])('%s', (message) => expect(withoutOurAccount(message)).toBe(message))
})

it('is fast for any input', () => {
  const began = performance.now()
  for (const piece of [
    'org ',
    'project: ',
    'team (',
    'a.',
    'sk-',
    "api key '",
    '1,',
    'Acme ',
    'a@',
    'projects/',
    'org: a ',
    'https://a/team/',
    'account a1',
  ])
    withoutOurAccount(piece.repeat(4_000 / piece.length))
  expect(performance.now() - began).toBeLessThan(1_000)
})
