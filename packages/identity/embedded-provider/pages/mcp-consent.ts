import { mcpScopes, type McpScope } from '../../mcp-access/scopes.ts'
import { alert, hiddenField } from './form.ts'
import { html, type Html } from './html.ts'
import { page, type Page } from './page.ts'
import type { SignInForm } from './sign-in.ts'
import { cancel } from './sign-in.ts'

/** An app's request for access, as its page shows it. */
export interface McpConsent {
  /** The app's own name for itself. */
  name: string
  /** The host of its metadata; undefined: it registered itself, and nothing else is known about it. */
  host: string | undefined
  /** Email of the person whose access it would get. */
  account: string
  /** The organizations that the person belongs to and may let it act for. */
  organizations: readonly { id: string; name: string; role: string }[]
  /** The host that the person returns to. */
  redirectsTo: string
  /** The redirect is on loopback, where any program on the person's machine may be listening. */
  isLoopback: boolean
  scopes: readonly McpScope[]
}

/** Each permission can be chosen separately. The page presents the app's name as a claim, not as a fact. */
export function mcpConsentPage(form: SignInForm, consent: McpConsent, problem?: string): Page {
  const { name, host, redirectsTo, account, isLoopback, scopes } = consent
  const body = html`<p>
      An app called <strong>${name}</strong> wants to use Turnpike as <strong>${account}</strong>.
    </p>
    ${alert(problem)}
    <dl>
      <dt>App</dt>
      <dd>${name} <span class="hint">(not verified)</span></dd>
      <dt>Published at</dt>
      <dd>${host ?? 'nowhere: the app registered itself'}</dd>
      <dt>Returns to</dt>
      <dd>${redirectsTo}</dd>
    </dl>
    <form method="post" action="${form.action}/consent">
      ${hiddenField('csrf_token', form.csrfToken)} ${actsFor(consent)}
      <fieldset>
        <legend>Permissions</legend>
        ${scopes.map(choice)}
      </fieldset>
      <p class="hint">${isLoopback ? warnings.loopback : warnings.web}</p>
      <button type="submit">Allow</button>
    </form>
    ${cancel(form)}`
  const status = problem === undefined ? 200 : 400
  return page({ title: 'Allow access?', body, leadsTo: form.leadsTo, status })
}

const warnings = {
  loopback:
    'This app runs on this computer, where any program can use this name. Allow it only if you just ' +
    'started it yourself.',
  web: 'Allow this only if you just started it yourself and you recognize this address.',
}

function choice(scope: McpScope): Html {
  return html`<label class="choice">
    <input type="checkbox" name="scope" value="${scope}" checked /> <span>${mcpScopes[scope]}</span>
  </label> `
}

/** Not shown to people who belong to no organization. */
function actsFor({ account, organizations }: McpConsent): Html {
  if (organizations.length === 0) return html``
  return html`<fieldset>
    <legend>Account to use</legend>
    <label class="choice">
      <input type="radio" name="organization" value="" checked /> <span>Your own account, ${account}</span>
    </label>
    ${organizations.map(
      ({ id, name, role }) =>
        html`<label class="choice">
          <input type="radio" name="organization" value="${id}" /> <span>${name} (your role: ${role})</span>
        </label> `,
    )}
  </fieldset>`
}
