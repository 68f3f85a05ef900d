/** Gives each example a button that copies it. */
export function addCopyButtons(): void {
  for (const example of document.querySelectorAll<HTMLElement>('.example pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      // Not available without TLS, except on the own machine.
      const isCopied = await navigator.clipboard?.writeText(example.textContent ?? '').then(
        () => true,
        () => false,
      );
      button.textContent = isCopied ? 'Copied' : 'Select the text to copy it';
    });
    example.before(button);
  }
}
