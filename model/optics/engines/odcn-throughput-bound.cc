// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-throughput-bound.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#if ODCN_HAVE_GLPK
#include <csetjmp>
#include <glpk.h>
#include <mutex>
#endif

namespace ns3::odcn
{

namespace
{

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// A set of racks, with the capacity and the demand from it to the other racks.
class Cut
{
  public:
    /// @param capacity by pair
    /// @param demand by pair
    /// @param all all racks, or none
    Cut(const DemandMatrix& capacity, const DemandMatrix& demand, bool all)
        : m_capacity(capacity),
          m_demand(demand),
          m_in(demand.GetNRacks(), all),
          m_gains(demand.GetNRacks())
    {
        for (RackId from = 0; from < m_in.size(); ++from)
        {
            for (RackId to = 0; to < m_in.size(); ++to)
            {
                if (from != to)
                {
                    Amount& gain = m_gains[all ? to : from];
                    gain.capacity += capacity.Get(from, to) * (all ? -1 : 1);
                    gain.demand += demand.Get(from, to) * (all ? -1 : 1);
                }
            }
        }
    }

    /// Move a rack into the set or out of it.
    /// @param rack the rack
    void Flip(RackId rack)
    {
        m_cut = GetFlipped(rack);
        m_in[rack] = !m_in[rack];
        // Another rack's arrow to this one, and that back, now count the other way.
        const double sign = m_in[rack] ? -1 : 1;
        for (RackId other = 0; other < m_in.size(); ++other)
        {
            if (other != rack)
            {
                Amount& gain = m_gains[other];
                gain.capacity += sign * (m_capacity.Get(other, rack) + m_capacity.Get(rack, other));
                gain.demand += sign * (m_demand.Get(other, rack) + m_demand.Get(rack, other));
            }
        }
    }

    /// @param rack a rack
    /// @return GetRatio() after Flip()
    double GetFlippedRatio(RackId rack) const
    {
        return Divide(GetFlipped(rack), ROUNDING);
    }

    /// @return capacity / demand, infinite without demand
    double GetRatio() const
    {
        return Divide(m_cut, ROUNDING);
    }

    /// Flip one rack after another, the best first, as long as the ratio falls.
    void Descend()
    {
        for (;;)
        {
            Interruption::Check();
            // Differences below the rounding errors would go on for ever.
            double best = GetRatio() * (1 - 1e-12);
            RackId flip = NO_RACK;
            for (RackId rack = 0; rack < m_in.size(); ++rack)
            {
                if (const double ratio = GetFlippedRatio(rack); ratio < best)
                {
                    best = ratio;
                    flip = rack;
                }
            }
            if (flip == NO_RACK)
            {
                return;
            }
            Flip(flip);
        }
    }

    /// @return the ratio, summed anew, without the rounding errors of the flips
    double Recompute() const
    {
        std::vector<RackId> outside;
        for (RackId i = 0; i < m_in.size(); ++i)
        {
            if (!m_in[i])
            {
                outside.push_back(i);
            }
        }
        Amount cut;
        for (RackId i = 0; i < m_in.size(); ++i)
        {
            for (std::size_t j = 0; m_in[i] && j < outside.size(); ++j)
            {
                cut.capacity += m_capacity.Get(i, outside[j]);
                cut.demand += m_demand.Get(i, outside[j]);
            }
        }
        return Divide(cut, 0);
    }

  private:
    /// Of arrows.
    struct Amount
    {
        double capacity{0}; //!< what they carry
        double demand{0};   //!< what is to be carried
    };

    /// What flips may leave of a demand of zero, by rounding.
    static constexpr double ROUNDING = 1e-12;

    /// @param cut of arrows that leave the set
    /// @param zero a demand that counts as none
    /// @return their ratio
    static double Divide(const Amount& cut, double zero)
    {
        return cut.demand > zero ? std::max(0.0, cut.capacity) / cut.demand : INFINITE;
    }

    /// @param rack the rack
    /// @return of arrows that leave the set after Flip()
    Amount GetFlipped(RackId rack) const
    {
        const Amount& gain = m_gains[rack];
        return m_in[rack] ? Amount{m_cut.capacity - gain.capacity, m_cut.demand - gain.demand}
                          : Amount{m_cut.capacity + gain.capacity, m_cut.demand + gain.demand};
    }

    const DemandMatrix& m_capacity; //!< by pair
    const DemandMatrix& m_demand;   //!< by pair
    std::vector<char> m_in;         //!< by rack: whether it is in the set
    std::vector<Amount> m_gains; //!< by rack: of arrows to others outside, less from those inside
    Amount m_cut;                //!< of arrows that leave the set
};

#if ODCN_HAVE_GLPK

/// @param matrix a matrix  @return its transpose
DemandMatrix
Transpose(const DemandMatrix& matrix)
{
    DemandMatrix result(matrix.GetNRacks());
    for (RackId i = 0; i < matrix.GetNRacks(); ++i)
    {
        for (RackId j = 0; j < matrix.GetNRacks(); ++j)
        {
            result.Set(j, i, matrix.Get(i, j));
        }
    }
    return result;
}

/**
 * @param demand traffic by pair of racks
 * @param lengths by [from x racks + to], infinite where there is no circuit
 * @param twoHop whether a path has at most two hops
 * @return sum of demand x length of the shortest path, infinite if some demand has no path
 */
double
SumOfDistances(const DemandMatrix& demand, const std::vector<double>& lengths, bool twoHop)
{
    const std::size_t n = demand.GetNRacks();
    std::vector<double> distance = lengths;
    // Floyd and Warshall's order of loops; two-hop paths must not be extended.
    for (std::size_t k = 0; k < n; ++k)
    {
        for (std::size_t i = 0; i < n; ++i)
        {
            const double first = (twoHop ? lengths : distance)[i * n + k];
            for (std::size_t j = 0; first < INFINITE && j < n; ++j)
            {
                const double second = (twoHop ? lengths : distance)[k * n + j];
                distance[i * n + j] = std::min(distance[i * n + j], first + second);
            }
        }
    }
    double sum = 0;
    for (RackId i = 0; i < n; ++i)
    {
        for (RackId j = 0; j < n; ++j)
        {
            if (demand.Get(i, j) > 0)
            {
                sum += demand.Get(i, j) * distance[i * n + j];
            }
        }
    }
    return sum;
}

/// Maximise the first of non-negative variables; sums of all of them are at most 1, or zero.
struct LinearProgram
{
    int nBounded{0};                 //!< number of the first rows, which are at most 1
    int nRows{0};                    //!< number of rows; the others are zero
    int nColumns{1};                 //!< number of variables
    std::vector<int> rows{0};        //!< row of each non-zero, counted from 1; [0] is unused
    std::vector<int> columns{0};     //!< column of each non-zero, counted from 1
    std::vector<double> values{0.0}; //!< the non-zeros

    /// @param row of a new non-zero  @param column of it  @param value of it
    void Add(int row, int column, double value)
    {
        rows.push_back(row);
        columns.push_back(column);
        values.push_back(value);
    }
};

/// Result of a linear program.
struct Solution
{
    double value{0};            //!< of the maximised variable
    std::vector<double> prices; //!< dual variables of the bounded rows
    const char* failure{""};    //!< why there is no result, or empty
};

/// How a program is solved.
enum class Method
{
    SHORT_SIMPLEX, //!< as many steps as rows: enough where the optimum is near the first basis
    INTERIOR,      //!< where the simplex method makes very many degenerate steps, but may diverge
    SIMPLEX,       //!< to the end
};

/// Where GLPK's fatal errors return to; it would abort the process.
thread_local std::jmp_buf g_afterFatalError;

/**
 * Solve by GLPK. No object with a destructor may be created here: a fatal error jumps out of it.
 * @param program the program  @param method how  @param memory limit in MB
 * @param [out] solution the result; prices has its size already
 */
void
RunSolver(const LinearProgram& program, Method method, int memory, Solution& solution)
{
    solution.failure = "";
    // GLPK turns its output on again for fatal errors; the hook suppresses that too.
    glp_term_hook([](void*, const char*) { return 1; }, nullptr);
    glp_mem_limit(memory);
    glp_error_hook([](void*) { std::longjmp(g_afterFatalError, 1); }, nullptr);
    if (setjmp(g_afterFatalError) != 0)
    {
        glp_free_env();
        solution.failure = "not enough memory within its limit, or an internal error";
        return;
    }
    glp_prob* problem = glp_create_prob();
    glp_set_obj_dir(problem, GLP_MAX);
    glp_add_rows(problem, program.nRows);
    glp_add_cols(problem, program.nColumns);
    for (int row = 1; row <= program.nRows; ++row)
    {
        const bool bounded = row <= program.nBounded;
        glp_set_row_bnds(problem, row, bounded ? GLP_UP : GLP_FX, 0, bounded ? 1 : 0);
    }
    for (int column = 1; column <= program.nColumns; ++column)
    {
        glp_set_col_bnds(problem, column, GLP_LO, 0, 0);
    }
    glp_set_obj_coef(problem, 1, 1);
    glp_load_matrix(problem,
                    static_cast<int>(program.values.size()) - 1,
                    program.rows.data(),
                    program.columns.data(),
                    program.values.data());

    const bool interior = method == Method::INTERIOR;
    bool optimal;
    if (interior)
    {
        optimal = glp_interior(problem, nullptr) == 0 && glp_ipt_status(problem) == GLP_OPT;
    }
    else
    {
        glp_smcp options;
        glp_init_smcp(&options);
        options.it_lim = method == Method::SHORT_SIMPLEX ? program.nRows : INT32_MAX;
        glp_adv_basis(problem, 0);
        optimal = glp_simplex(problem, &options) == 0 && glp_get_status(problem) == GLP_OPT;
    }
    if (!optimal)
    {
        solution.failure = "no convergence";
    }
    else
    {
        const int kind = interior ? GLP_IPT : GLP_SOL;
        double equations = 0;
        double bounds = 0;
        double absolute = 0;
        int where = 0;
        glp_check_kkt(problem, kind, GLP_KKT_PE, &absolute, &where, &equations, &where);
        glp_check_kkt(problem, kind, GLP_KKT_PB, &absolute, &where, &bounds, &where);
        if (!(std::max(equations, bounds) <= ThroughputBound::TOLERANCE))
        {
            solution.failure = "the flow is not feasible";
        }
        solution.value = interior ? glp_ipt_obj_val(problem) : glp_get_obj_val(problem);
        for (std::size_t i = 0; i < solution.prices.size(); ++i)
        {
            const int row = static_cast<int>(i) + 1;
            solution.prices[i] =
                interior ? glp_ipt_row_dual(problem, row) : glp_get_row_dual(problem, row);
        }
    }
    glp_delete_prob(problem);
    glp_error_hook(nullptr, nullptr);
    glp_term_hook(nullptr, nullptr);
}

/**
 * Fabric and demand as a linear program, of which GLPK's absolute tolerances are relative to each
 * demand and each capacity: flows are in units of their demand, or of their circuit where that is
 * less, rows in units of theirs.
 */
class FlowProgram
{
  public:
    /// @param capacity by pair of racks  @param demand by pair of racks
    /// @param unit of the throughput
    FlowProgram(const DemandMatrix& capacity, const DemandMatrix& demand, double unit)
        : m_capacity(capacity),
          m_demand(demand),
          m_unit(unit),
          m_racks(demand.GetNRacks()),
          m_rowOf(std::size_t(m_racks) * m_racks, 0)
    {
        for (RackId i = 0; i < m_racks; ++i)
        {
            for (RackId j = 0; j < m_racks; ++j)
            {
                if (capacity.Get(i, j) > 0)
                {
                    m_rowOf[std::size_t(i) * m_racks + j] = ++m_program.nRows;
                }
            }
        }
        m_program.nBounded = m_program.nRows;
    }

    /// @return number of the row that bounds a circuit, or 0  @param i its sender  @param j
    /// receiver
    int GetRow(RackId i, RackId j) const
    {
        return m_rowOf[std::size_t(i) * m_racks + j];
    }

    /**
     * One variable for each path of at most two hops.
     * @return the program
     */
    const LinearProgram& MakeTwoHop()
    {
        for (RackId s = 0; s < m_racks; ++s)
        {
            for (RackId t = 0; t < m_racks; ++t)
            {
                const double demand = m_demand.Get(s, t);
                if (demand == 0)
                {
                    continue;
                }
                const int pair = ++m_program.nRows;
                m_program.Add(pair, 1, -1);
                if (GetRow(s, t))
                {
                    const double unit = GetUnit(demand, m_capacity.Get(s, t));
                    m_program.Add(pair, ++m_program.nColumns, unit);
                    AddLoad(s, t, unit * demand);
                }
                for (RackId k = 0; k < m_racks; ++k)
                {
                    if (GetRow(s, k) && GetRow(k, t))
                    {
                        const double unit =
                            GetUnit(demand, std::min(m_capacity.Get(s, k), m_capacity.Get(k, t)));
                        m_program.Add(pair, ++m_program.nColumns, unit);
                        AddLoad(s, k, unit * demand);
                        AddLoad(k, t, unit * demand);
                    }
                }
            }
        }
        return m_program;
    }

    /**
     * One variable for each circuit and each source, or each class of a source's demands. Each rack
     * but the source receives, net, what is meant for it; nothing returns to the source.
     * @return the program
     */
    const LinearProgram& MakeMultiHop()
    {
        for (RackId s = 0; s < m_racks; ++s)
        {
            // Beside a large flow a solver takes a small one for a rounding error.
            constexpr double SPREAD = 1e-4;
            double largest = 0;
            for (RackId t = 0; t < m_racks; ++t)
            {
                largest = std::max(largest, m_demand.Get(s, t));
            }
            while (largest > 0)
            {
                double next = 0;
                for (RackId t = 0; t < m_racks; ++t)
                {
                    const double demand = m_demand.Get(s, t);
                    next = demand < SPREAD * largest ? std::max(next, demand) : next;
                }
                AddSource(s, SPREAD * largest, largest);
                largest = next;
            }
        }
        return m_program;
    }

  private:
    /// @param demand a demand  @param capacity most that the variable may use
    /// @return its unit as a share of the demand, so that it is at most about 1
    double GetUnit(double demand, double capacity) const
    {
        return std::min(1.0, capacity / (demand * m_unit));
    }

    /// The last variable uses a circuit. @param i sender  @param j receiver
    /// @param flow flow of a variable of 1, at a throughput of 1 unit
    void AddLoad(RackId i, RackId j, double flow)
    {
        m_program.Add(GetRow(i, j), m_program.nColumns, flow * m_unit / m_capacity.Get(i, j));
    }

    /// @param s source  @param least smallest demand  @param largest largest demand of the class
    void AddSource(RackId s, double least, double largest)
    {
        const int first = m_program.nRows + 1;
        m_program.nRows += static_cast<int>(m_racks) - 1;
        const auto balance = [&](RackId rack)
        { return first + static_cast<int>(rack < s ? rack : rack - 1); };
        // Of a variable, which is in units of the largest demand.
        const auto getWeight = [&](RackId t)
        {
            const double demand = m_demand.Get(s, t);
            return demand >= least && demand <= largest ? largest / demand : 0;
        };
        for (RackId t = 0; t < m_racks; ++t)
        {
            if (getWeight(t) > 0)
            {
                m_program.Add(balance(t), 1, -1);
            }
            for (RackId k = 0; t != s && k < m_racks; ++k)
            {
                if (GetRow(k, t))
                {
                    const double unit = GetUnit(largest, m_capacity.Get(k, t));
                    ++m_program.nColumns;
                    AddLoad(k, t, unit * largest);
                    m_program.Add(balance(t),
                                  m_program.nColumns,
                                  unit * std::max(getWeight(t), 1.0));
                    if (k != s)
                    {
                        m_program.Add(balance(k),
                                      m_program.nColumns,
                                      -unit * std::max(getWeight(k), 1.0));
                    }
                }
            }
        }
    }

    const DemandMatrix& m_capacity; //!< by pair of racks
    const DemandMatrix& m_demand;   //!< by pair of racks
    double m_unit;                  //!< of the throughput
    uint32_t m_racks;               //!< number of racks
    std::vector<int> m_rowOf;       //!< by [from][to]: row of a circuit's capacity, or 0
    LinearProgram m_program;        //!< so far
};

#endif

} // namespace

ThroughputBound::ThroughputBound(DemandMatrix capacity, DemandMatrix demand)
    : m_capacity(std::move(capacity)),
      m_demand(std::move(demand)),
      m_hostLimit(INFINITE)
{
    m_capacity.Check("capacity");
    m_demand.Check("demand");
    if (m_capacity.GetNRacks() != m_demand.GetNRacks())
    {
        throw OdcnError::InOption("demand",
                                  std::to_string(m_demand.GetNRacks()) + " racks",
                                  std::to_string(m_capacity.GetNRacks()) + ", as the capacity has");
    }
    const double load = m_demand.GetMaxLoad();
    if (load == 0)
    {
        throw OdcnError::InOption("demand", "0 everywhere", "some demand");
    }
    // Numbers near 1 suit the solver, whatever the unit.
    const double most = m_capacity.GetMaxLoad();
    m_scale = most > 0 ? most / load : 1;
    m_demand.Normalize();
    m_capacity.Normalize();
    m_load = load;
}

void
ThroughputBound::SetHostLimits(const std::vector<double>& send, const std::vector<double>& receive)
{
    const uint32_t racks = m_demand.GetNRacks();
    double limit = INFINITE;
    for (const auto* limits : {&send, &receive})
    {
        if (limits->size() != racks)
        {
            throw OdcnError::InOption("limits of hosts",
                                      std::to_string(limits->size()) + " numbers",
                                      "one for each of " + std::to_string(racks) + " racks");
        }
        for (RackId rack = 0; rack < racks; ++rack)
        {
            const double most = (*limits)[rack];
            if (!(most >= 0))
            {
                throw OdcnError::InOption("limit of hosts of rack " + std::to_string(rack),
                                          std::to_string(most),
                                          "a number, not negative");
            }
            const double load =
                m_load * (limits == &send ? m_demand.GetSent(rack) : m_demand.GetReceived(rack));
            limit = load > 0 ? std::min(limit, most / load) : limit;
        }
    }
    m_hostLimit = limit;
}

void
ThroughputBound::SetMemoryLimit(uint32_t megabytes)
{
    if (megabytes == 0 || megabytes > INT32_MAX)
    {
        throw OdcnError::InOption("memory of the solver", std::to_string(megabytes), "megabytes");
    }
    m_memory = megabytes;
}

bool
ThroughputBound::HasSolver()
{
#if ODCN_HAVE_GLPK
    return true;
#else
    return false;
#endif
}

double
ThroughputBound::GetDirect() const
{
    double theta = INFINITE;
    for (RackId i = 0; i < m_demand.GetNRacks(); ++i)
    {
        for (RackId j = 0; j < m_demand.GetNRacks(); ++j)
        {
            if (m_demand.Get(i, j) > 0)
            {
                theta = std::min(theta, m_capacity.Get(i, j) / m_demand.Get(i, j));
            }
        }
    }
    return std::min(theta * m_scale, m_hostLimit);
}

double
ThroughputBound::GetTwoHop() const
{
    return Solve(true);
}

double
ThroughputBound::GetMultiHop() const
{
    return Solve(false);
}

double
ThroughputBound::GetCut() const
{
    return std::min(FindCut() * m_scale, m_hostLimit);
}

double
ThroughputBound::FindCut() const
{
    const uint32_t racks = m_demand.GetNRacks();
    double least = INFINITE;
    const auto note = [&](const Cut& cut) { least = std::min(least, cut.Recompute()); };
    const auto descend = [&](Cut cut)
    {
        cut.Descend();
        note(cut);
    };
    Cut alternate(m_capacity, m_demand, false);
    Cut half(m_capacity, m_demand, false);
    Cut otherAlternate(m_capacity, m_demand, true);
    Cut otherHalf(m_capacity, m_demand, true);
    for (const bool all : {false, true})
    {
        const Cut start(m_capacity, m_demand, all);
        for (RackId i = 0; i < racks; ++i)
        {
            Cut single = start;
            single.Flip(i);
            note(single);
            for (RackId j = 0; j < i; ++j)
            {
                // Of many equal pairs one is summed.
                if (single.GetFlippedRatio(j) < least * (1 - 1e-12))
                {
                    Cut pair = single;
                    pair.Flip(j);
                    note(pair);
                }
            }
            descend(single);
        }
    }
    for (RackId i = 0; i < racks; ++i)
    {
        if (i % 2 == 0)
        {
            alternate.Flip(i);
            otherAlternate.Flip(i);
        }
        if (i < racks / 2)
        {
            half.Flip(i);
            otherHalf.Flip(i);
        }
    }
    for (const Cut& cut : {alternate, otherAlternate, half, otherHalf})
    {
        descend(cut);
    }
    return least;
}

double
ThroughputBound::GetBest() const
{
    return HasSolver() ? GetMultiHop() : GetCut();
}

#if ODCN_HAVE_GLPK

double
ThroughputBound::Solve(bool twoHop) const
{
    // A throughput below this share of its unit makes tolerances relative to too much.
    constexpr double LEAST_SHARE = 0.1;
    // What lies between two equal bounds needs no program.
    const double fabricCut = FindCut();
    const double cut = std::min(fabricCut * m_scale, m_hostLimit);
    if (cut - GetDirect() <= 1e-12 * cut)
    {
        return cut;
    }
    const std::size_t racks = m_demand.GetNRacks();
    const auto count = [&](double (DemandMatrix::*sum)(RackId) const)
    {
        uint32_t active = 0;
        for (RackId rack = 0; rack < racks; ++rack)
        {
            active += (m_demand.*sum)(rack) > 0;
        }
        return active;
    };
    // With all arrows reversed the throughput is the same, and a program has as many variables as
    // there are senders: take the fewer of senders and receivers.
    const bool reverse =
        !twoHop && count(&DemandMatrix::GetReceived) < count(&DemandMatrix::GetSent);
    const DemandMatrix capacity = reverse ? Transpose(m_capacity) : m_capacity;
    const DemandMatrix demand = reverse ? Transpose(m_demand) : m_demand;

    std::vector<double> lengths(racks * racks, INFINITE);
    for (RackId i = 0; i < racks; ++i)
    {
        for (RackId j = 0; j < racks; ++j)
        {
            lengths[i * racks + j] = capacity.Get(i, j) > 0 ? 1 : INFINITE;
        }
    }
    if (SumOfDistances(demand, lengths, twoHop) == INFINITE)
    {
        return 0;
    }

    // The throughput in units of a bound, so that it is about 1.
    double unit = fabricCut;
    std::string failures;
    for (const Method method : {Method::SHORT_SIMPLEX, Method::INTERIOR, Method::SIMPLEX})
    {
        // Where the cut is far above the throughput, the first result is a better unit.
        for (double share = 0; share < LEAST_SHARE && unit > 0;)
        {
            FlowProgram flow(capacity, demand, unit);
            const LinearProgram& program = twoHop ? flow.MakeTwoHop() : flow.MakeMultiHop();
            Solution solution;
            solution.prices.resize(program.nBounded);
            {
                // Where GLPK was built without thread-local storage, all threads share its
                // environment.
                static std::mutex mutex;
                const std::lock_guard lock(mutex);
                RunSolver(program, method, static_cast<int>(m_memory), solution);
            }
            if (*solution.failure)
            {
                failures += std::string(failures.empty() ? "" : ", ") + solution.failure;
                break;
            }
            // Prices are of whole circuits, lengths of a unit of capacity.
            double volume = 0;
            for (RackId i = 0; i < racks; ++i)
            {
                for (RackId j = 0; j < racks; ++j)
                {
                    if (const int row = flow.GetRow(i, j))
                    {
                        const double price = std::max(0.0, solution.prices[row - 1]);
                        volume += price;
                        lengths[i * racks + j] = price / capacity.Get(i, j);
                    }
                }
            }
            const double theta = volume / SumOfDistances(demand, lengths, twoHop);
            share = theta / unit;
            if (share >= LEAST_SHARE && std::abs(share - solution.value) <= TOLERANCE * share)
            {
                return std::min(theta * m_scale, cut);
            }
            if (share >= LEAST_SHARE || !(share > 0))
            {
                failures += failures.empty() ? "flow " : ", flow ";
                AppendDouble(failures, solution.value * unit * m_scale);
                failures += " below the bound ";
                AppendDouble(failures, theta * m_scale);
                break;
            }
            unit = theta;
        }
    }
    throw OdcnError("throughput: GLPK found no certified optimum (" + failures + ")");
}

#else

double
ThroughputBound::Solve(bool) const
{
    throw OdcnError("throughput: odcn was built without GLPK, so only cuts bound it "
                    "(Debian: apt install libglpk-dev)");
}

#endif

} // namespace ns3::odcn
