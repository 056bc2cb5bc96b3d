import { alert, field, hiddenField } from './form.ts'
import { html } from './html.ts'
import { page, type Page } from './page.ts'
import { cancel, type SignInForm } from './sign-in.ts'

/** The page on which somebody reports a lost password. */
export function passwordResetPage(form: SignInForm, state: { email?: string; problem?: string } = {}): Page {
  const { email, problem } = state
  const body = html`<p>We will email you a link to choose a new password.</p>
    ${alert(problem)}
    <form method="post" action="${form.action}/forgotten">
      ${hiddenField('csrf_token', form.csrfToken)}${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: email,
        autofocus: true,
        attributes: html` maxlength="254"`,
      })}<button type="submit">Email me a link</button>
    </form>
    <p class="beside">Remembered it? <a href="${form.action}">Sign in</a></p>
    ${cancel(form)}`
  const status = problem === undefined ? 200 : 400
  return page({ title: 'Forgot your password?', body, leadsTo: form.leadsTo, status })
}

/** The same page for every address, whether or not a user has it. */
export function passwordResetSentPage(form: SignInForm, email: string): Page {
  const body = html`<p>
      If there is an account with <strong>${email}</strong>, we have sent it a link. The link works once, for
      an hour.
    </p>
    <p class="hint">
      No email? Check your spam folder, and check that this is the address you signed up with.
    </p>
    <p class="beside">Already have a new password? <a href="${form.action}">Sign in</a></p>
    ${cancel(form)}`
  return page({ title: 'Check your email', body, leadsTo: form.leadsTo })
}
