import { alert, field, hiddenField } from './form.ts'
import { html } from './html.ts'
import { page, type Page } from './page.ts'

interface DeviceForm {
  action: string
  csrfToken: string
}

export interface CodeState {
  userCode?: string | undefined
  problem?: string | undefined
  status?: number
}

/** The page on which people enter the code that a device shows (RFC 8628, section 3.3). */
export function deviceCodePage({ action, csrfToken }: DeviceForm, state: CodeState = {}): Page {
  const { userCode, problem, ...answer } = state
  const body = html`<p>Enter the code that your terminal or device shows.</p>
    <form method="post" action="${action}">
      ${hiddenField('xsrf', csrfToken)}${field({
        name: 'user_code',
        label: 'Code',
        type: 'text',
        autocomplete: 'off',
        value: userCode,
        problem,
        autofocus: true,
        attributes: html` class="code" autocapitalize="characters" spellcheck="false" maxlength="32"
        placeholder="XXXX-XXXX"`,
      })}<button type="submit">Continue</button>
    </form>`
  return page({ title: 'Connect a device', body, ...answer })
}

export interface DeviceRequest {
  userCode: string
  application: string
  /** The internet address that requested the code. */
  address: string
  /** Email of the user who is signed in; undefined: nobody is signed in yet. */
  account: string | undefined
}

/** Shows what is about to be allowed, and for which account (RFC 8628, sections 3.3.1 and 5.4). */
export function deviceConfirmationPage({ action, csrfToken }: DeviceForm, request: DeviceRequest): Page {
  const { userCode, application, address, account } = request
  const decision = html`${hiddenField('xsrf', csrfToken)}${hiddenField('user_code', userCode)}`
  const body = html`<p>Compare the code with the one on your device.</p>
    <p class="code">${userCode}</p>
    <dl>
      <dt>Application</dt>
      <dd>${application}</dd>
      <dt>Asked for from</dt>
      <dd>${address}</dd>
      ${
        account === undefined
          ? undefined
          : html`<dt>Signed in as</dt>
              <dd>${account}</dd> `
      }
    </dl>
    <p class="hint">
      It will be able to use Turnpike on your behalf. Connect it only if you just started this yourself. If
      somebody sent you the code, do not connect.
    </p>
    <form method="post" action="${action}">
      ${decision}${hiddenField('confirm', 'yes')}<button type="submit">
        ${account === undefined ? 'Sign in and connect' : 'Connect'}
      </button>
    </form>
    <form method="post" action="${action}">
      ${decision}${hiddenField('abort', 'yes')}<button type="submit" class="quiet">Do not connect</button>
    </form>`
  return page({ title: 'Connect this device?', body })
}

export function deviceConnectedPage(application: string): Page {
  const body = html`<p>The ${application} is signed in. You can close this page and return to it.</p>`
  return page({ title: 'Device connected', body })
}

export function deviceDeclinedPage(): Page {
  const body = html`${alert('The device was not connected.')}
    <p>You can close this page.</p>`
  return page({ title: 'Not connected', body })
}
