"""The services themselves: each test that leans on them may trust what is asserted here."""

import psycopg
from playwright.sync_api import Browser


def test_each_test_has_a_database_of_its_own(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        version = connection.execute("SHOW server_version_num").fetchone()
    assert tables == (0,)
    assert version is not None and int(version[0]) >= 130000


def test_the_browser_runs_scripts(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_content("<p id=a>before</p><script>document.getElementById('a').textContent = 'after'</script>")
    assert page.text_content("#a") == "after"
    context.close()
