import { passwordLength } from '../logins/password.ts'
import { alert, field, hiddenField } from './form.ts'
import { html, type Html } from './html.ts'
import { page, type Page } from './page.ts'

/** What the pages of one sign-in have in common. */
export interface SignInForm {
  /** The sign-in's own address; the forms post to places below it. */
  action: string
  csrfToken: string
  /** Where the last redirect leads. */
  leadsTo: readonly string[]
  /** What goes on after it, as in `Turnpike command line`. */
  application: string
}

export interface SignInState {
  email?: string | undefined
  problem?: string | undefined
  status?: number
  headers?: Record<string, string>
}

/** Which ways there are besides the password. */
export interface SignInWays {
  /** To make an account. */
  mayRegister: boolean
  /** To have a link mailed, for a new password. */
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
  /** By field. */
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

/** @param account whose access it is: its email */
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

/** The way out of a sign-in: the application is told that it was declined. */
export function cancel(form: SignInForm) {
  return html`<form method="post" action="${form.action}/cancel">
    ${hiddenField('csrf_token', form.csrfToken)}<button type="submit" class="quiet">Cancel</button>
  </form>`
}
