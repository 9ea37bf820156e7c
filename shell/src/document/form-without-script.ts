import { brand } from '@countersign/contracts/brand';
import { leadPath, trapField } from '@countersign/contracts/lead';

const asterisk = '<i aria-hidden="true">*</i>';

/**
 * What a visitor without script gets in place of the page: a form that the browser sends by itself. The service answers
 * with a page.
 */
export const formWithoutScript = `<main class="plain">
<h1>${brand}</h1>
<p>Document forms and digital signing. ${brand} needs JavaScript to show this page: please switch it on and reload. Or ask us anything right here, and someone who knows will answer.</p>
<form method="post" action="${leadPath('contact')}">
<label for="plain-name">Name${asterisk}</label>
<input id="plain-name" name="name" autocomplete="name" minlength="2" required>
<label for="plain-email">Email${asterisk}</label>
<input id="plain-email" name="email" type="email" autocomplete="email" required>
<label for="plain-company">Company (optional)</label>
<input id="plain-company" name="company" autocomplete="organization">
<label for="plain-message">Message${asterisk}</label>
<textarea id="plain-message" name="message" rows="5" minlength="10" required></textarea>
<p class="trap" aria-hidden="true"><label>Leave this field empty <input name="${trapField}" tabindex="-1" autocomplete="off" data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other"></label></p>
<button>Send Message</button>
<p><i>*</i> Required</p>
</form>
</main>`;
