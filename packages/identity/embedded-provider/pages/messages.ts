import { alert, hiddenField } from './form.ts'
import { html } from './html.ts'
import { page, type Page } from './page.ts'

export const expiredSignIn = 'This sign-in has expired, or was started in another browser.'

export function signOutPage(action: string, csrfToken: string, leadsTo: readonly string[]): Page {
  const body = html`<p>
      You will be signed out of Turnpike in this browser. Devices that you connected stay signed in.
    </p>
    <form method="post" action="${action}">
      ${hiddenField('xsrf', csrfToken)}${hiddenField('logout', 'yes')}<button type="submit">Sign out</button>
    </form>
    <form method="post" action="${action}">
      ${hiddenField('xsrf', csrfToken)}<button type="submit" class="quiet">Stay signed in</button>
    </form>`
  return page({ title: 'Sign out?', body, leadsTo })
}

export function signedOutPage(): Page {
  return page({ title: 'Signed out', body: html`<p>You can close this page.</p>` })
}

/** @param cause the OAuth name of the error, for whoever has to find out what went wrong */
export function errorPage(
  status: number,
  message: string,
  cause?: { error: string; description?: string | undefined },
): Page {
  const { error, description } = cause ?? {}
  const details = html`<p class="hint"><code>${error}</code>${description && html`: ${description}`}</p>`
  const body = html`${alert(message)}
    <p>Go back to the app and start again.</p>
    ${error === undefined ? undefined : details}`
  return page({ title: 'Something went wrong', body, status })
}

export function tooManyAttemptsPage(seconds: number): Page {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const body = html`${alert(`Too many attempts. Try again in ${wait}.`)}`
  return page({
    title: 'Please wait',
    body,
    status: 429,
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  })
}
