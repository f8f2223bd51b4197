// SPDX-License-Identifier: MIT
#include "run_process.h"

#include "run_control.h"
#include "run_files.h"

#include <opscape/base/paths.h>
#include <opscape/io/plan_json.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kLookEvery = milliseconds(20);        ///< at the process
constexpr auto kReadEvery = milliseconds(200);       ///< the store
constexpr auto kPatience = std::chrono::seconds(10); ///< between a stop and the end of a process that does not heed it

std::string quoted(const std::string& lastWords) {
    return lastWords.empty() ? std::string() : fmt::format("; it said last: {}", lastWords);
}

std::string sentence(std::string text) { return text.ends_with('.') ? text : text + "."; }

/// What the store has of a run, told as the run itself would.
class Listener {
public:
    Listener(RunStore& store, std::int64_t run, const RunSubject& subject, const RunContext& context)
        : m_store(store),
          m_run(run),
          m_subject(subject),
          m_context(context) {}

    void listen() {
        const auto version = m_store.dataVersion();
        if (!version || *version == std::exchange(m_version, *version))
            return;
        const auto progress = m_store.progress(m_run);
        if (!progress)
            return;
        m_context.report(progress->progress);
        if (!m_hasBaselines && m_context.baselines) {
            const auto curve = m_store.curve(m_run, kNoPoints);
            m_hasBaselines = curve && !curve->baselines.empty();
            if (m_hasBaselines)
                m_context.baselines(curve->baselines);
        }
        if (progress->plans == m_plans || !m_context.improved)
            return;
        const auto text = m_store.planText(m_run);
        const auto plan = text ? readPlan(*text, "the best plan so far", *m_subject.opened->graph, *m_subject.cluster)
                               : Result<Plan>(fail(text.error()));
        if (!plan)
            return;
        m_plans = progress->plans;
        m_context.improved(*plan, progress->progress.bestNs);
    }

private:
    static constexpr std::size_t kNoPoints = std::numeric_limits<std::int64_t>::max();

    RunStore& m_store;
    std::int64_t m_run;
    const RunSubject& m_subject;
    const RunContext& m_context;
    std::int64_t m_version = -1, m_plans = 0;
    bool m_hasBaselines = false;
};

} // namespace

Result<std::int64_t> startProgram(const std::filesystem::path& runner, std::vector<std::string> words,
                                  const std::filesystem::path& log) {
    words.insert(words.begin(), runner.string());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_t manner;
    ::posix_spawnattr_init(&manner);
    ::posix_spawnattr_setflags(&manner, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&manner, &none);
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, runner.c_str(), &files, &manner, arguments.data(), environ);
    ::posix_spawnattr_destroy(&manner);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        return fail("{}: cannot be started ({}); trainings run in it: install it beside this program.", runner.string(),
                    std::strerror(error));
    return pid;
}

std::string endText(int status, const std::string& lastWords) {
    if (!WIFSIGNALED(status))
        return fmt::format(" process ended with exit status {}{}", WEXITSTATUS(status), quoted(lastWords));
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format(" process was ended by signal {} (SIG{}){}{}", signal, name != nullptr ? name : "?",
                       signal == SIGKILL ? ", by a person or for want of memory" : "", quoted(lastWords));
}

std::filesystem::path defaultRunner() { return programFolder() / "opscape-cli"; }

Result<Outcome> carryOutElsewhere(const Workbench& workbench, const std::filesystem::path& runner, std::int64_t run,
                                  const RunSubject& subject, const RunContext& context,
                                  const std::atomic<bool>& letGo) {
    auto store = workbench.openStore();
    if (!store)
        return fail(store.error());
    const RunFiles files(workbench.database(), run);
    const auto pid = startProgram(
        runner, {"--db", workbench.database().string(), "runs", "resume", std::to_string(run)}, files.log());
    if (!pid) {
        std::ignore = store->finish(run, RunStatus::Failed, 0, std::nullopt, {}, pid.error().message);
        files.remove();
        return fail(pid.error());
    }
    const auto begin = Clock::now();
    Listener listener(*store, run, subject, context);
    int status = 0;
    Clock::time_point nextRead{}, stopped{};
    for (bool isKilled = false; ::waitpid(static_cast<pid_t>(*pid), &status, WNOHANG) != *pid;) {
        const auto now = Clock::now();
        if (letGo)
            return fail("run {} goes on by itself.", run);
        if (context.stopRequested() && stopped == Clock::time_point{}) {
            stopped = now;
            ::kill(static_cast<pid_t>(*pid), signalOf(RunWish::Stop));
        }
        if (stopped != Clock::time_point{} && now - stopped > kPatience && !std::exchange(isKilled, true))
            ::kill(static_cast<pid_t>(*pid), SIGKILL);
        if (now >= nextRead) {
            listener.listen();
            nextRead = now + kReadEvery;
        }
        std::this_thread::sleep_for(kLookEvery);
    }
    listener.listen();
    const auto record = store->get(run);
    if (!record)
        return fail(record.error());
    if (record->status == RunStatus::Running || record->status == RunStatus::Interrupted) {
        const bool neverBegan = WIFEXITED(status);
        const std::string reason = sentence(endText(status, files.lastWords()));
        const auto wallMs = std::chrono::duration_cast<milliseconds>(Clock::now() - begin).count();
        std::ignore = store->finish(run, neverBegan ? RunStatus::Failed : RunStatus::Interrupted, wallMs, std::nullopt,
                                    {}, "Its" + reason);
        return fail("run {}: its{}", run, reason);
    }
    if (!record->result || record->status == RunStatus::Failed)
        return fail("{}", record->error);
    return workbench.restore(run, subject.opened);
}

void explainDeath(RunStore& store, std::int64_t run) {
    const std::string said = RunFiles(store.file(), run).lastWords();
    const auto record = store.get(run);
    if (said.empty() || !record || record->status != RunStatus::Interrupted ||
        record->error.find(said) != std::string::npos)
        return;
    std::string why = record->error;
    while (why.ends_with('.'))
        why.pop_back();
    std::ignore =
        store.finish(run, RunStatus::Interrupted, record->wallMs, std::nullopt, {}, sentence(why + quoted(said)));
}

} // namespace opscape
