import { passwordLength } from '../logins/password.ts'
import { alert, field, hiddenField } from './form.ts'
import { html, type Html } from './html.ts'
import { page, type Page } from './page.ts'

/** What all pages of one sign-in share. */
export interface SignInForm {
  /** The sign-in's own path; the forms post to paths below it. */
  action: string
  csrfToken: string
  /** Where the last redirect leads. */
  leadsTo: readonly string[]
  /** The application that the user signs in to, such as `Turnpike command line`. */
  application: string
}

export interface SignInState {
  email?: string | undefined
  problem?: string | undefined
  status?: number
  headers?: Record<string, string>
}

/** The options on the page besides the password. */
export interface SignInWays {
  /** Offer to create an account. */
  mayRegister: boolean
  /** Offer to mail a link for a new password. */
  mayRecover: boolean
}

export function signInPage(form: SignInForm, ways: SignInWays, state: SignInState = {}): Page {
  const { email, problem, ...answer } = state
  const body = html`<p>to continue to the ${form.application}</p>
    ${alert(problem)}
    <form method="post" action="${form.action}/sign-in">
      ${hiddenField('csrf_token', form.csrfToken)}${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: email,
        autofocus: email === undefined,
      })}${field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        autofocus: email !== undefined,
      })}<button type="submit">Sign in</button>
    </form>
    ${ways.mayRecover ? forgottenLink(form) : undefined}${
      ways.mayRegister
        ? html`<p class="beside">No account yet? <a href="${form.action}/sign-up">Create one</a></p> `
        : undefined
    }${cancel(form)}`
  return page({ title: 'Sign in', body, leadsTo: form.leadsTo, ...answer })
}

export interface SignUpState {
  email?: string | undefined
  name?: string | undefined
  inviteCode?: string | undefined
  /** Keyed by field. */
  problems?: Partial<Record<'email' | 'password' | 'invite_code', string>>
  problem?: string | undefined
  status?: number
  headers?: Record<string, string>
}

export function signUpPage(
  form: SignInForm,
  { needsInvite, mayRecover }: { needsInvite: boolean; mayRecover: boolean },
  state: SignUpState = {},
): Page {
  const { email, name, inviteCode, problems = {}, problem, ...answer } = state
  const invitation = field({
    name: 'invite_code',
    label: needsInvite ? 'Invitation code' : 'Invitation code (optional)',
    required: needsInvite,
    type: 'text',
    autocomplete: 'off',
    value: inviteCode,
    problem: problems.invite_code,
    attributes: html` autocapitalize="none" spellcheck="false" maxlength="64"`,
  })
  const body = html`<p>to continue to the ${form.application}</p>
    ${alert(problem)}
    <form method="post" action="${form.action}/sign-up">
      ${hiddenField('csrf_token', form.csrfToken)}${needsInvite ? invitation : undefined}${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: email,
        problem: problems.email,
        attributes: html` maxlength="254"`,
      })}${field({
        name: 'name',
        label: 'Name (optional)',
        type: 'text',
        autocomplete: 'name',
        value: name,
        required: false,
        attributes: html` maxlength="100"`,
      })}${field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `At least ${passwordLength.min} characters. A sentence is fine.`,
        problem: problems.password,
        attributes: html` minlength="${passwordLength.min}"`,
      })}${needsInvite ? undefined : invitation}<button type="submit">Create account</button>
    </form>
    <p class="beside">Already have an account? <a href="${form.action}">Sign in</a></p>
    ${mayRecover ? forgottenLink(form) : undefined}${cancel(form)}`
  return page({ title: 'Create account', body, leadsTo: form.leadsTo, ...answer })
}

function forgottenLink({ action }: SignInForm): Html {
  return html`<p class="beside"><a href="${action}/forgotten">Forgot your password?</a></p> `
}

/** @param account email of the account that the application would get access to */
export function consentPage(form: SignInForm, account: string, redirectsTo: string): Page {
  const body = html`<p>
      The <strong>${form.application}</strong> wants to use Turnpike as <strong>${account}</strong>.
    </p>
    <p class="lead">It will be able to</p>
    <ul>
      <li>create, change and revoke your API keys</li>
      <li>see your balance and usage, and start top-ups</li>
      <li>see your name and email</li>
    </ul>
    <p class="hint">
      You will return to <strong>${redirectsTo}</strong>. Allow this only if you started it yourself.
    </p>
    <form method="post" action="${form.action}/consent">
      ${hiddenField('csrf_token', form.csrfToken)}<button type="submit">Allow</button>
    </form>
    ${cancel(form)}`
  return page({ title: 'Allow access?', body, leadsTo: form.leadsTo })
}

/** Cancels the sign-in: the application is told that it was declined. */
export function cancel(form: SignInForm) {
  return html`<form method="post" action="${form.action}/cancel">
    ${hiddenField('csrf_token', form.csrfToken)}<button type="submit" class="quiet">Cancel</button>
  </form>`
}
