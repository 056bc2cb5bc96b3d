// Runs before the first paint; Mantine's provider takes over from there (it owns this local storage key).
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is disabled, so nothing was chosen.
    chosen = null
  }
  var isDark = matchMedia('(prefers-color-scheme: dark)').matches
  var scheme = chosen === 'dark' || chosen === 'light' ? chosen : isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
